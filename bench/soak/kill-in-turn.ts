import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '../common/processes.ts';

const BETWEEN_KILLS_MS = 1_000;

/**
 * Every second kills one of the processes, in turn, and starts another in its place in the array, until `until` (as `performance.now()`).
 * Returns how many it killed; a process that had ended by itself is an error.
 */
export async function killInTurn(processes: RunningProcess[], start: () => RunningProcess, until: number): Promise<number> {
  let kills = 0;
  for (; performance.now() + BETWEEN_KILLS_MS < until; kills++) {
    await sleep(BETWEEN_KILLS_MS);
    const place = kills % processes.length;
    const victim = processes[place];
    if (!victim?.isAlive()) throw new Error(`Toolkit process ${place} ended by itself before kill ${kills}`);
    await victim.kill();
    processes[place] = start();
  }
  return kills;
}
