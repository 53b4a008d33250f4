/** Kills an agent at random moments while people write, then lets it finish. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KillAudit } from './audit-kills.ts';
import { type KillWorld, startKillWorld } from './kill-world.ts';

const CHATS = 5;
const MESSAGES_PER_LIFE = 4;
const MAX_DELAY_MS = 60;
const MAX_LIFE_MS = 500;
const FINISHED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 20;

export interface RandomKills {
  folder: string;
  kills: number;
  random: () => number;
  /** See `KillWorldOptions`. */
  python?: string | undefined;
}

export async function killAtRandom({ folder, kills, random, python }: RandomKills): Promise<KillAudit> {
  const below = (limit: number) => Math.floor(random() * limit);
  const world = await startKillWorld({ folder, delayMs: () => below(MAX_DELAY_MS), python });
  try {
    for (let life = 0; life < kills; life += 1) {
      const agent = world.start();
      // A turn that is killed three times in a row is given up, and that is right: so every second process finishes its work first.
      if (life % 2 === 1) await lastAudit(world);
      await sayMore(world, below);
      // One life in eight ends before it has begun.
      if (below(8) > 0) await agent.ready;
      await sleep(below(MAX_LIFE_MS));
      await world.kill();
    }
    await world.start().ready;
    return await lastAudit(world);
  } finally {
    await world.close();
  }
}

async function sayMore(world: KillWorld, below: (limit: number) => number): Promise<void> {
  for (let count = 0; count < MESSAGES_PER_LIFE; count += 1) {
    const widths = Array.from({ length: 1 + below(3) }, () => 1 + below(3));
    await world.say(`${1001 + below(CHATS)}`, `m${world.said.length}`, `count ${widths.join(',')}`);
  }
}

/** Waits until everything is answered; what is still lost after two minutes is lost. */
async function lastAudit(world: KillWorld): Promise<KillAudit> {
  const giveUpAt = performance.now() + FINISHED_WITHIN_MS;
  for (;;) {
    const audit = world.audit();
    if (audit.open === 0 || performance.now() > giveUpAt) return audit;
    await sleep(LOOK_EVERY_MS);
  }
}
