/** Programs of the providers, in their real SDKs: which tools they may call, and how their calls are answered. The model's side is scripted. */
import Anthropic from '@anthropic-ai/sdk';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import OpenAI from 'openai';
import { Tools } from 'svc-sdk';
import * as anthropic from 'svc-sdk/anthropic';
import * as openai from 'svc-sdk/openai';
import * as agents from 'svc-sdk/openai-agents';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from '../../../service/scripted-model/server.ts';
import type { Speech } from '../../../service/scripted-model/speech.ts';
import { ADMIN_PATHS, type InvocationsPage } from '../../../src/protocol/admin';
import { startConsole } from '../../support/console-service';
import { PNG } from '../../support/vectors';

const ORDER = {
  type: 'object',
  properties: { id: { type: 'integer' }, next: { $ref: '#/$defs/note' } },
  required: ['id'],
  $defs: { note: { type: 'string' } },
} as const;
const TREE = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/node' } },
  $defs: { node: { properties: { child: { $ref: '#/$defs/node' } } } },
};

async function openOffice() {
  const service = await startConsole();
  const ran: string[] = [];
  await service.toolkit('office', (toolkit) => {
    const id = { id: { type: 'integer' } } as const;
    const readOnly = { readOnly: true };
    toolkit.action(
      { action: 'order', actionDescription: 'Reads an order', payloadDescription: id, resultDescription: ORDER, annotations: readOnly },
      (_ctx, { id: number }) => ({ id: Number(number) }),
    );
    toolkit.action({ action: 'name', actionDescription: 'Reads a name', annotations: readOnly }, () => 'Ada "A"');
    toolkit.action({ action: 'lose', actionDescription: 'Fails', annotations: readOnly }, () => {
      throw new Error('lost');
    });
    toolkit.action({ action: 'show', actionDescription: 'Shows', annotations: readOnly }, (ctx) =>
      ctx.image(Buffer.from(PNG, 'base64'), 'image/png'),
    );
    toolkit.action({ action: 'plant', actionDescription: 'Reads trees', payloadDescription: TREE, annotations: readOnly }, () => 1);
    toolkit.action({ action: 'put', actionDescription: 'Puts', annotations: { idempotent: true } }, () => void ran.push('put'));
    toolkit.action(
      { action: 'erase', actionDescription: 'Erases', annotations: { idempotent: true, destructive: true } },
      () => void ran.push('erase'),
    );
    toolkit.action({ action: 'send', actionDescription: 'Sends' }, () => void ran.push('send'));
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const madeBy = async () => {
    const { invocations } = await service.owner.json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?limit=50`);
    return invocations.map((call) => [call.action, call.madeBy]).sort();
  };
  return { tools: new Tools({ baseUrl: service.url, apiKey: key }), ran, madeBy };
}

interface Api {
  name: string;
  /** Whether the end of a program may be a response of its own. */
  endsAlone: boolean;
  /** The names of the tools that programs may call, in the last request; undefined without the hosted tool. */
  allowed(request: { tools: ListedTool[] }): string[] | undefined;
  /** Runs a conversation with static tools of all actions; the last words. */
  converse(
    model: ScriptedModel,
    options: { tools: Tools; images?: true; programmatic?: boolean; staticToolkits?: string[] },
  ): Promise<string>;
}

interface ListedTool {
  type: string;
  name: string;
  allowed_callers?: string[];
  description?: string;
  output_schema?: unknown;
}

const callable = (hosted: string, program: string) => (request: { tools: ListedTool[] }) =>
  request.tools.some(({ type }) => type === hosted)
    ? request.tools.filter(({ allowed_callers }) => allowed_callers?.includes(program)).map(({ name }) => name)
    : undefined;

const OPENAI = { allowed: callable('programmatic_tool_calling', 'programmatic'), endsAlone: true };

const APIS: Api[] = [
  {
    ...OPENAI,
    name: 'svc-sdk/openai, the Responses API',
    async converse(model, options) {
      const client = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
      const tools = await openai.loadSvcResponsesTools({ ...options, programmatic: (options.programmatic ?? true) as true });
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Please do it.' }];
      for (;;) {
        const response = await client.responses.create({ model: 'scripted-model', input, tools });
        const next = openai.nextRequest(response, await tools.callTools(response.output));
        input.push(...(next.input as typeof input));
        if (next.done) return response.output_text;
      }
    },
  },
  {
    name: 'svc-sdk/anthropic',
    endsAlone: false,
    allowed: callable('code_execution_20260120', 'code_execution_20260120'),
    async converse(model, options) {
      const client = new Anthropic({ baseURL: model.origin, apiKey: 'any', maxRetries: 0 });
      const tools = await anthropic.loadSvcTools({ ...options, programmatic: (options.programmatic ?? true) as true });
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Please do it.' }];
      for (let container: string | undefined; ; ) {
        const message = await client.messages.create({
          model: 'scripted-model',
          max_tokens: 999,
          messages,
          tools,
          ...(container && { container }),
        });
        const next = anthropic.nextRequest(message, await anthropic.callTools(tools, message.content));
        messages.push(...next.messages);
        container = next.container ?? container;
        if (next.done) return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      }
    },
  },
  {
    name: 'svc-sdk/anthropic, tool runner',
    endsAlone: false,
    allowed: callable('code_execution_20260120', 'code_execution_20260120'),
    async converse(model, options) {
      const client = new Anthropic({ baseURL: model.origin, apiKey: 'any', maxRetries: 0 });
      const { content } = await client.beta.messages.toolRunner({
        ...{ model: 'scripted-model', max_tokens: 999, thread: false, max_iterations: 9 },
        messages: [{ role: 'user', content: 'Please do it.' }],
        tools: await anthropic.loadSvcTools({ ...options, programmatic: (options.programmatic ?? true) as true }),
      });
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
  },
  {
    ...OPENAI,
    name: 'svc-sdk/openai-agents',
    async converse(model, options) {
      const tools = await agents.loadSvcTools({ ...options, programmatic: options.programmatic ?? true, needsApproval: false });
      const modelProvider = new OpenAIProvider({ apiKey: 'any', baseURL: model.baseURL, useResponses: true });
      const runner = new Runner({ modelProvider, tracingDisabled: true });
      const agent = new Agent({ name: 'agent', instructions: 'Help.', model: 'scripted-model', tools });
      return String((await runner.run(agent, 'Please do it.')).finalOutput);
    },
  },
];

const PROGRAM = { id: 'program_1', code: 'await all()' };
const ALL = [
  'search_services',
  'invoke_service',
  'office__lose',
  'office__name',
  'office__order',
  'office__plant',
  'office__put',
  'office__show',
];

describe.each(APIS)('$name', ({ converse, allowed, endsAlone }) => {
  /** Plays the speeches; then the program ends, in a response of its own where the API may do so, and the model answers. */
  async function play(speeches: Speech[], change: Partial<Parameters<Api['converse']>[1]> = {}) {
    const office = await openOffice();
    const ended = { id: PROGRAM.id, result: '3' };
    const last: Speech[] = endsAlone ? [{ content: '', ended }, { content: 'Done.' }] : [{ content: 'Done.', ended }];
    const script = speeches.some(({ program }) => program) ? [...speeches, ...last] : [...speeches, { content: 'Done.' }];
    const outputs: unknown[][] = [];
    const requests: { tools: ListedTool[] }[] = [];
    let turn = 0;
    const model = await startScriptedModel({
      onRequest: (body) => requests.push(JSON.parse(body)),
      speak({ turns }) {
        outputs.push((turns.at(-1) ?? []).map(({ output }) => output));
        return script[turn++] ?? { content: 'Too far.' };
      },
    });
    onTestFinished(() => model.close());
    const text = await converse(model, { tools: office.tools, staticToolkits: ['office'], ...change });
    expect(text).toBe('Done.');
    expect(turn).toBe(script.length);
    return { ...office, outputs: outputs.flat(), requests };
  }
  const order = (id: number) => ({ name: 'office__order', arguments: { id } });

  test('programs may call what needs no approval and may run twice; without the option, nothing', async () => {
    const { requests } = await play([]);
    const cyclic = allowed(requests[0] as never)?.includes('office__plant') ? [] : ['office__plant'];
    expect(allowed(requests[0] as never)?.toSorted()).toEqual(ALL.filter((name) => !cyclic.includes(name)).toSorted());
    const without = await play([], { programmatic: false });
    expect(allowed(without.requests[0] as never)).toBeUndefined();
    expect(JSON.stringify(without.requests[0]?.tools)).not.toMatch(/allowed_callers|output_schema|Returns/);
  });

  test('the calls of a program run at the same time, and each gets its own result', async () => {
    const { outputs, madeBy } = await play([{ program: PROGRAM, calls: [order(1), order(2), order(3)] }]);
    expect(outputs).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(await madeBy()).toEqual([1, 2, 3].map(() => ['office__order', 'program']));
  });

  test('a program goes on over several requests', async () => {
    const { outputs } = await play([
      { program: PROGRAM, calls: [order(1)] },
      { program: { id: PROGRAM.id }, calls: [order(2), order(3)] },
    ]);
    expect(outputs).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('a text comes as JSON, for code alone', async () => {
    const { outputs, requests } = await play([
      { calls: [{ name: 'office__name', arguments: {} }] },
      { program: PROGRAM, calls: [{ name: 'office__name', arguments: {} }] },
    ]);
    expect(outputs).toEqual(['Ada "A"', 'Ada "A"']);
    expect(JSON.stringify(requests.at(-1))).toContain(JSON.stringify(JSON.stringify('Ada "A"')));
  });

  test('a failure is JSON with an error', async () => {
    const { outputs } = await play([{ program: PROGRAM, calls: [{ name: 'office__lose', arguments: {} }] }]);
    expect(outputs).toEqual([{ error: expect.objectContaining({ code: 'ACTION_FAILED' }) }]);
  });

  test('a call that must not run twice is refused through invoke_service, and runs when the model makes it', async () => {
    const send = { name: 'invoke_service', arguments: { action: 'office__send', payload: {} } };
    const { outputs, ran, madeBy } = await play([{ program: PROGRAM, calls: [send] }]);
    expect(outputs).toEqual([{ error: expect.objectContaining({ code: 'CALL_DIRECTLY' }) }]);
    expect(ran).toEqual([]);
    expect(await madeBy()).toEqual([['office__send', 'program']]);
    const direct = await play([{ calls: [send] }]);
    expect(direct.ran).toEqual(['send']);
  });

  test('a program searches too', async () => {
    const { outputs } = await play([{ program: PROGRAM, calls: [{ name: 'search_services', arguments: { query: 'reads an order' } }] }]);
    expect(JSON.stringify(outputs)).toContain('office__order');
  });

  test('images are words for code', async () => {
    const { outputs } = await play([{ program: PROGRAM, calls: [{ name: 'office__show', arguments: {} }] }], { images: true });
    expect(JSON.stringify(outputs)).toMatch(/\[image image\/png, \d+/);
  });
});

test('the declared result is an output schema at OpenAI, and a type in the description at Anthropic', async () => {
  const { tools } = await openOffice();
  const chosen = { tools, staticActions: ['office__order'], dynamicTools: false, programmatic: true } as const;
  const ofOpenAi = (await openai.loadSvcResponsesTools(chosen)).find((tool) => 'output_schema' in tool);
  const { $defs, ...shape } = ORDER;
  expect(ofOpenAi).toMatchObject({ output_schema: { anyOf: [shape, { required: ['error'] }], $defs } });
  const ofAnthropic = (await anthropic.loadSvcTools(chosen)).find(({ name }) => name === 'office__order');
  expect(ofAnthropic).toMatchObject({ description: expect.stringContaining('\nReturns {id:int') });
});
