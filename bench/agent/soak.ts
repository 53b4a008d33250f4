/** People write to an agent on three platforms at a bounded rate, while platforms and model fail; then the agent finishes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KillAudit } from './audit-kills.ts';
import { type MemoryGrowth, MemorySamples } from './memory-samples.ts';
import { type SoakWorld, startSoakWorld } from './soak-world.ts';
import { receivedTurns, storedCursor } from './stored-turns.ts';

const MESSAGES_PER_SECOND = 10;
const TICK_MS = 1_000 / MESSAGES_PER_SECOND;
const FAULTS_PER_MESSAGE = 0.3;
/** One message in so many is delivered twice. */
const TWICE_ONE_IN = 20;
const SESSION_LASTS_MS = 20_000;
const CONFLICT_EVERY_MS = 100_000;
/** The longest half-open connection, as a part of the run. */
const HANG_SHARE = 1 / 15;
const FINISHED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;

export interface SoakOptions {
  folder: string;
  seconds: number;
  chats: number;
  random: () => number;
}

export interface SoakReport extends KillAudit {
  faults: Record<string, number>;
  /** The memory of the agent's process. */
  memory: MemoryGrowth;
  /** Undefined if the agent had to be killed. */
  eventLoop: { p50Ms: number; p99Ms: number } | undefined;
}

export async function soakAgent({ folder, seconds, chats, random }: SoakOptions): Promise<SoakReport> {
  const runMs = seconds * 1_000;
  const world = await startSoakWorld({ folder, random, maxHangMs: runMs * HANG_SHARE });
  try {
    const memory = new MemorySamples(world.agent, runMs);
    await talk(world, runMs, chats, random);
    world.modelFaults.stop();
    await finish(world);
    await memory.stop();
    const audit = world.audit();
    const eventLoop = await world.stop();
    return { ...audit, faults: { ...world.faults.counts, model: world.modelFaults.count }, memory: memory.growth, eventLoop };
  } finally {
    await world.close();
  }
}

async function talk(world: SoakWorld, runMs: number, chats: number, random: () => number): Promise<void> {
  const below = (limit: number) => Math.floor(random() * limit);
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  let sessionEnd: Promise<void> | undefined;
  let [sessionEndsAt, conflictAt] = [Math.min(SESSION_LASTS_MS, runMs / 2), CONFLICT_EVERY_MS / 2];
  for (let tick = 1; elapsedMs() < runMs; tick += 1) {
    const chat = below(chats);
    const widths = Array.from({ length: 1 + below(3) }, () => 1 + below(2));
    const twice = below(TWICE_ONE_IN) === 0;
    // Discord does not send messages written while the bot has no session.
    if (!(sessionEnd && world.discord.has(chat))) await world.say(chat, `count ${widths.join(',')}`, twice);
    if (random() < FAULTS_PER_MESSAGE) world.faults.inject();
    if (elapsedMs() > conflictAt) {
      world.faults.injectConflict();
      conflictAt += CONFLICT_EVERY_MS;
    }
    if (!sessionEnd && elapsedMs() > sessionEndsAt) {
      sessionEnd = endSession(world).finally(() => {
        sessionEnd = undefined;
        sessionEndsAt = elapsedMs() + SESSION_LASTS_MS;
      });
    }
    await sleep(Math.max(0, startedAt + tick * TICK_MS - performance.now()));
  }
  await sessionEnd;
}

/** Ends Discord's session when all messages are taken in, and waits for the next one. */
async function endSession({ agent, store, faults, discord }: SoakWorld): Promise<void> {
  const session = () => (storedCursor(store, discord.clientId) as { session?: string } | null)?.session;
  while (agent.isAlive() && receivedTurns(store, discord.clientId) < discord.said) await sleep(LOOK_EVERY_MS);
  const ended = session();
  faults.injectSessionEnd();
  while (agent.isAlive() && session() === ended) await sleep(LOOK_EVERY_MS);
}

/** Waits until everything is answered; messages that are still open after two minutes are lost. */
async function finish({ agent, open }: SoakWorld): Promise<void> {
  const giveUpAt = performance.now() + FINISHED_WITHIN_MS;
  while (agent.isAlive() && open() > 0 && performance.now() < giveUpAt) await sleep(LOOK_EVERY_MS);
}
