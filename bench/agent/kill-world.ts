/** An agent in a child process that can be killed, on a real service, with the counting toolkit and model and a fake platform. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeTelegram } from 'svc-sdk/agent/testing';
import { type RunningProcess, startNode } from '../common/processes.ts';
import { startPython } from '../common/python.ts';
import { auditKills, type KillAudit, type SaidMessage } from './audit-kills.ts';
import { startCountedService } from './counted-service.ts';
import { startCountingModel } from './counting-model.ts';
import type { Gate } from './gates.ts';
import { startRelay } from './relay.ts';
import { doneTurns, hasTables, openStore, turnErrors } from './stored-turns.ts';

const AGENT = fileURLToPath(new URL('agent-process.ts', import.meta.url));
const STARTED = /started/;

export interface KillWorldOptions {
  /** An empty folder for the agent's store. */
  folder: string;
  /** The duration of a handler, and of an answer of the model. Default: 0. */
  delayMs?: () => number;
  /** The program `python` of an environment for python/: every second process is then an agent in Python. Default: none is. */
  python?: string | undefined;
}

export type KillWorld = Awaited<ReturnType<typeof startKillWorld>>;

export async function startKillWorld({ folder, delayMs = () => 0, python }: KillWorldOptions) {
  const service = await startCountedService(delayMs);
  const { key, counted } = service;
  const relay = await startRelay(service.url);
  const model = await startCountingModel({ delayMs });
  const telegram = await startFakeTelegram();
  const store = join(folder, 'agent.db');
  const said: SaidMessage[] = [];
  let agent: RunningProcess | undefined;
  let starts = 0;

  return {
    counted,
    telegram,
    store,
    said: said as readonly SaidMessage[],

    /** A person writes `<text> as <label>`. */
    async say(chatId: string, label: string, text = 'count 1'): Promise<void> {
      said.push({ chatId, label });
      await telegram.say({ chatId, text: `${text} as ${label}` });
    },

    /** Blocks at one of the four steps of a turn at which its process can be killed. */
    hold: {
      model: (label: string, step: number): Gate => model.gates.hold(`ask ${label}/${step}`),
      handler: (label: string, step: number, index: number): Gate => counted.gates.hold(`run ${label}/${step}/${index}`),
      result: (): Gate => relay.gates.hold('answer /v1/invoke'),
      /** The platform shows the next message, and never answers. */
      reply: (): void => telegram.fault({ on: 'sendMessage', done: true, hangMs: 600_000 }),
    },

    /** @returns the process; `ready` when it receives messages */
    start(): RunningProcess {
      const env = {
        SVC_BASE_URL: relay.origin,
        SVC_AGENT_API_KEY: key,
        SVC_MODEL: 'openai/scripted-model',
        OPENAI_BASE_URL: model.baseURL,
        OPENAI_API_KEY: 'any',
        TELEGRAM_TOKEN: telegram.clientOptions.botToken,
        TELEGRAM_API_ROOT: telegram.clientOptions.apiRoot,
        AGENT_STORE: store,
      };
      starts += 1;
      const options = { ready: STARTED, env };
      const isPython = python !== undefined && starts % 2 === 0;
      agent = isPython ? startPython(python, ['tests.agent.agent_process'], options) : startNode([AGENT], options);
      return agent;
    },

    /** SIGKILL. Then the lease ends at once, so that the next process need not wait for it. */
    async kill(): Promise<void> {
      await agent?.kill();
      endLeases(store);
    },

    audit: (): KillAudit =>
      auditKills({
        said,
        sent: telegram.sent,
        runs: counted.runs,
        invalid: model.invalid,
        open: said.length - doneTurns(store),
        errors: turnErrors(store),
      }),

    async close(): Promise<void> {
      await agent?.kill();
      await Promise.all([relay.close(), model.close(), telegram.close()]);
      await service.close();
    },
  };
}

function endLeases(store: string): void {
  using database = openStore(store);
  if (hasTables(database)) database.exec('UPDATE svc_client SET lease_until = 0');
}
