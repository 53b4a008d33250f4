/** Guards the processor time of a keyed call, relative to a bare relay. `npm run bench` measures more. */
import { expect, onTestFinished, test } from 'vitest';
import { floor } from '../../bench/floor/target.ts';
import { LoadGenerator } from '../../bench/load/load-generator.ts';
import { takeTurns } from '../../bench/load/rounds.ts';
import { svcKeyed } from '../../bench/svc/target.ts';

/** Processor time of the service per call, divided by that of the floor. The goal is 2.2. */
const MAX_RATIO = 2.5;
const TRIES = 5;

test(`a keyed call takes at most ${MAX_RATIO} times the processor time of the bare relay`, { timeout: 120_000 }, async () => {
  const generator = new LoadGenerator();
  onTestFinished(() => generator.stop());
  const targets = [];
  for (const target of [floor, svcKeyed]) {
    const running = await target.start();
    onTestFinished(() => running.stop());
    targets.push({ name: target.name, running });
  }
  const load = { payloadBytes: 300, concurrency: 64, rounds: TRIES, sliceSeconds: 1 };
  const [bare, keyed] = await takeTurns(targets, load, generator);
  expect([bare?.errors, keyed?.errors]).toEqual([{}, {}]);
  const ratios = Array.from(
    { length: TRIES },
    (_, index) => Number(keyed?.rounds[index]?.cpuMsPerCall) / Number(bare?.rounds[index]?.cpuMsPerCall),
  );
  // The best try counts, since other load on the machine makes most tries worse.
  expect(Math.min(...ratios)).toBeLessThanOrEqual(MAX_RATIO);
});
