/** Restarts all nodes, one after the other, round and round: as an operator does it with every new version. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { PATHS } from '../../src/protocol/http.ts';
import { pollUntil } from '../common/poll-until.ts';
import type { DoneFault } from './faults.ts';
import type { NodePlace } from './world.ts';

const PAUSE_MS = 500;

/** Until `until`, milliseconds since the epoch; the round that has begun by then is ended. */
export async function restartInTurn(nodes: readonly NodePlace[], until: number, onDone: (fault: DoneFault) => void): Promise<void> {
  while (Date.now() < until) {
    for (const { process, door } of nodes) {
      const from = Date.now();
      await process.stop();
      await process.start();
      await pollUntil(`${process.name} to be ready`, () => isReady(door.origin));
      onDone({ kind: 'node-drain', target: process.name, from, to: Date.now(), skipped: false });
      await sleep(PAUSE_MS);
    }
  }
}

async function isReady(origin: string): Promise<true | undefined> {
  const { statusCode, body } = await request(origin + PATHS.ready);
  await body.dump();
  return statusCode === 200 ? true : undefined;
}
