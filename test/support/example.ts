/** A program of `examples/`, run as its reader would run it: with the built package, a real service, and a scripted model in the place of a real one. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { answer, invoke, lastResult, play, type Script, search } from '../../service/scripted-model/script.ts';
import { startScriptedModel } from '../../service/scripted-model/server.ts';
import { type ProcessOptions, type RunningProcess, startProcess } from './processes';
import { startService } from './service';
import { understood } from './understood';

const WEATHER = /weather in (?<city>\w+)/;
const CANCEL = /[Cc]ancel order (?<order>\d+)/;

const SCRIPTS: Script[] = [
  {
    about: WEATHER,
    steps: [
      search('weather in a city'),
      invoke(/weather/i, ({ question }) => [[/city/i, WEATHER.exec(question)?.groups?.city]]),
      answer((conversation) => {
        const { city, celsius } = lastResult<{ city: string; celsius: number }>(conversation);
        return `${city}: ${celsius} degrees`;
      }),
    ],
  },
  {
    about: CANCEL,
    steps: [
      search('cancel an order'),
      invoke(/cancel/i, ({ question }) => [
        [/order/i, Number(CANCEL.exec(question)?.groups?.order)],
        [/reason/i, `\u202ewen\u200b${'!'.repeat(5_000)}`],
        [/refund/i, 'all'],
      ]),
      answer((conversation) => {
        const { cancelled } = Object(lastResult(conversation));
        return cancelled === undefined ? 'It was not cancelled.' : `Order ${cancelled} is cancelled.`;
      }),
    ],
  },
];

/** The model's call, as shown to the human. */
export const CANCELLING = /orders__cancel \{"order":17,"reason":"\\u202ewen\\u200b!+"… \d+ more,"refund":"all"\}/;

export interface ExampleStage {
  /** Orders that were cancelled. */
  cancelled: number[];
  /** @param path below `examples/`, such as `ai-sdk/ask.ts` */
  run(path: string, args: string[], options?: ProcessOptions): RunningProcess;
  /** Any program. */
  start(program: string, args: string[], options?: ProcessOptions): RunningProcess;
}

/**
 * Weather without a question, orders that are cancelled only with one.
 *
 * @param understand what a model makes of the words of a tool, when the framework wraps them
 */
export async function startExampleStage(understand: (output: unknown) => unknown = (output) => output): Promise<ExampleStage> {
  const service = await startService();
  const cancelled: number[] = [];
  await service.toolkit('weather', (toolkit) => {
    toolkit.action(
      { action: 'today', actionDescription: "Today's weather in a city", payloadDescription: { city: { type: 'string', required: true } } },
      (_ctx, { city }) => ({ city, celsius: 21 }),
    );
  });
  await service.toolkit('orders', (toolkit) => {
    toolkit.action(
      {
        action: 'cancel',
        actionDescription: 'Cancels an order for ever',
        payloadDescription: { order: { type: 'integer', required: true }, reason: { type: 'string' }, refund: { type: 'string' } },
        annotations: { destructive: true },
      },
      (_ctx, { order }) => {
        cancelled.push(Number(order));
        return { cancelled: order };
      },
    );
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'example' });
  const model = await startScriptedModel({ speak: (conversation) => play(SCRIPTS, understood(conversation, understand)) });
  onTestFinished(() => model.close());
  const env = {
    SVC_BASE_URL: service.url,
    SVC_AGENT_API_KEY: key,
    OPENAI_BASE_URL: model.baseURL,
    OPENAI_API_KEY: 'any',
    ANTHROPIC_BASE_URL: model.origin,
    ANTHROPIC_API_KEY: 'any',
    GOOGLE_GEMINI_BASE_URL: model.origin,
    GEMINI_API_KEY: 'any',
    MASTRA_TELEMETRY_DISABLED: '1',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    NO_COLOR: '1',
  };
  const start: ExampleStage['start'] = (program, args, options = {}) => {
    const child = startProcess(process.execPath, [program, ...args], { ...options, env: { ...env, ...options.env } });
    onTestFinished(() => child.kill('SIGKILL'));
    return child;
  };
  return {
    cancelled,
    run: (path, args, options) => start(fileURLToPath(new URL(`../../examples/${path}`, import.meta.url)), args, options),
    start,
  };
}
