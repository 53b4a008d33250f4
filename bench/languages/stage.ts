/** A service with an echo toolkit in each language. */
import { request } from 'undici';
import { PATHS } from '../../src/protocol/http.ts';
import type { Language } from '../common/language.ts';
import { pollUntil } from '../common/poll-until.ts';
import { temporaryFolder } from '../common/processes.ts';
import type { RunningTarget } from '../load/target.ts';
import { createKeys } from '../svc/admin-keys.ts';
import { toolkitEnvironment } from '../svc/sdk.ts';
import { createKey, onDisk, startService } from '../svc/service.ts';
import { type LanguagePrograms, preparePrograms } from './programs.ts';

/** Replicas of one toolkit, for the idle connections. */
const OPTIONS = ['--limit', 'socketsPerKey=10000'];

export interface Stage {
  origin: string;
  agentKey: string;
  /** The id of each toolkit is its language. */
  languages: readonly StagedLanguage[];
  target(language: Language, action: string): RunningTarget;
  /** True if the toolkit answers a call. */
  serves(language: Language): Promise<boolean>;
  /** SIGKILL, and a new start on the same port and data; resolves when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface StagedLanguage extends LanguagePrograms {
  language: Language;
  /** The environment of another process of its toolkit. */
  environment: Record<string, string>;
}

export async function startStage(languages: readonly Language[]): Promise<Stage> {
  const programs = await Promise.all(languages.map(preparePrograms));
  const storage = onDisk(temporaryFolder());
  const adminKey = await createKey('admin', storage);
  let service = startService(storage, { options: OPTIONS });
  const [origin] = await service.ready;
  const [agent, ...keys] = await createKeys(origin, adminKey, [
    { kind: 'agent', name: 'agent' },
    ...languages.map((name) => ({ kind: 'toolkit', name }) as const),
  ]);
  const agentKey = `${agent?.key}`;
  const staged = programs.map((program, index): StagedLanguage => {
    const language = languages[index];
    if (language === undefined) throw new Error('There are programs for each language');
    return { ...program, language, environment: toolkitEnvironment(origin, `${keys[index]?.key}`) };
  });
  const toolkits = staged.map(({ startEcho, environment }) => startEcho(environment));
  await Promise.all(toolkits.map(({ ready }) => ready));

  const invoke = async (action: string): Promise<{ status: number; result: unknown }> => {
    const headers = { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json' };
    const answer = await request(origin + PATHS.invoke, { method: 'POST', headers, body: JSON.stringify({ action, payload: {} }) });
    const body = (await answer.body.json()) as { result?: unknown };
    return { status: answer.statusCode, result: body.result };
  };
  const serves = async (language: Language) => {
    try {
      return (await invoke(`${language}__cpu`)).status === 200;
    } catch {
      return false; // The service is not there.
    }
  };
  for (const language of languages) await pollUntil(`an answer of ${language}`, async () => (await serves(language)) || undefined);

  return {
    origin,
    agentKey,
    languages: staged,
    target: (language, action) => ({
      origins: [origin],
      actionId: `${language}__${action}`,
      agentKey,
      keyed: false,
      cpuMs: async () => Number((await invoke(`${language}__cpu`)).result),
      stop: async () => {},
    }),
    serves,
    async restart() {
      await service.kill();
      service = startService([...storage, '--port', new URL(origin).port], { options: OPTIONS });
      await service.ready;
    },
    async stop() {
      await Promise.all(toolkits.map((toolkit) => toolkit.stop()));
      await service.stop();
    },
  };
}
