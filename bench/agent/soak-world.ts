/** An agent in a measured process, on a real service, with the counting toolkit and model and a fake of each platform. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DiscordClient } from 'svc-sdk/agent/discord';
import { type FakePlatform, startFakeDiscord, startFakeTelegram, startFakeX } from 'svc-sdk/agent/testing';
import { startMeasured } from '../common/measured-process.ts';
import { auditKills, type KillAudit, type SaidMessage } from './audit-kills.ts';
import { startCountedService } from './counted-service.ts';
import { startCountingModel } from './counting-model.ts';
import { failAtRandom } from './failing-model.ts';
import { SoakFaults } from './soak-faults.ts';
import { doneTurns, turnErrors } from './stored-turns.ts';

const AGENT = fileURLToPath(new URL('soak-process.ts', import.meta.url));
const FIRST_CHAT = 100_001;
const MAX_DELAY_MS = 30;
const MODEL_FAULTS = 0.03;
/** The agent gives its turns 25 s, and its clients 5 s. */
const STOP_WITHIN_MS = 40_000;

export interface SoakWorldOptions {
  /** An empty folder for the agent's store and its log. */
  folder: string;
  random: () => number;
  maxHangMs: number;
}

export type SoakWorld = Awaited<ReturnType<typeof startSoakWorld>>;

export async function startSoakWorld({ folder, random, maxHangMs }: SoakWorldOptions) {
  const below = (limit: number) => Math.floor(random() * limit);
  const delayMs = () => below(MAX_DELAY_MS);
  const service = await startCountedService(delayMs);
  const modelFaults = failAtRandom(MODEL_FAULTS, random);
  const model = await startCountingModel({ delayMs, onRequest: (body) => modelFaults.check(body) });
  const [telegram, discord, x] = await Promise.all([startFakeTelegram(), startFakeDiscord(), startFakeX()]);
  const platforms = [telegram, discord, x] as const;
  const platformOf = (chat: number) => platforms[chat % platforms.length] as FakePlatform;
  const [store, log] = [join(folder, 'agent.db'), join(folder, 'agent.log')];
  const said: SaidMessage[] = [];
  const agent = await startMeasured([AGENT], {
    ready: /3 started/,
    logFile: log,
    env: {
      SVC_BASE_URL: service.url,
      SVC_AGENT_API_KEY: service.key,
      SVC_MODEL: 'openai/scripted-model',
      OPENAI_BASE_URL: model.baseURL,
      OPENAI_API_KEY: 'any',
      AGENT_STORE: store,
      AGENT_CLIENTS: JSON.stringify({ telegram: telegram.clientOptions, discord: discord.clientOptions, x: x.clientOptions }),
    },
  });
  const open = () => said.length - doneTurns(store);

  return {
    agent,
    store,
    faults: new SoakFaults({ platforms: { telegram, discord, x }, random, maxHangMs }),
    modelFaults,
    open,

    /** A person writes in one of the chats, which are numbered from 0 and belong to the platforms in turn. */
    async say(chat: number, text: string, twice: boolean): Promise<void> {
      const [chatId, label] = [String(FIRST_CHAT + chat), `m${said.length}`];
      said.push({ chatId, label });
      await platformOf(chat).say({ chatId, text: `${text} as ${label}`, twice });
    },

    discord: {
      clientId: new DiscordClient(discord.clientOptions).clientId,
      has: (chat: number): boolean => platformOf(chat) === discord,
      /** Messages that people wrote there. */
      get said(): number {
        return said.filter(({ chatId }) => platformOf(Number(chatId) - FIRST_CHAT) === discord).length;
      },
    },

    audit: (): KillAudit =>
      auditKills({
        said,
        sent: platforms.flatMap(({ sent }) => sent),
        runs: service.counted.runs,
        invalid: model.invalid,
        open: open(),
        errors: turnErrors(store),
      }),

    /** @returns the delay of the agent's event loop; undefined if the agent had to be killed */
    async stop(): Promise<{ p50Ms: number; p99Ms: number } | undefined> {
      await agent.stop(STOP_WITHIN_MS);
      const [, delay] = /^event loop (.+)$/m.exec(readFileSync(log, 'utf8')) ?? [];
      return delay === undefined ? undefined : JSON.parse(delay);
    },

    async close(): Promise<void> {
      await agent.kill();
      await Promise.all([model.close(), ...platforms.map((platform) => platform.close())]);
      await service.close();
    },
  };
}
