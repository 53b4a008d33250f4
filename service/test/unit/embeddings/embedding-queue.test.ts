import { expect, onTestFinished, test, vi } from 'vitest';
import { EmbeddingFailure, type FailureKind } from '../../../src/embeddings/embedding-failure';
import { EmbeddingQueue } from '../../../src/embeddings/embedding-queue';

/** A running queue. `work` receives each batch, and fails the batch if it returns a kind of failure. */
function start(
  work: (ids: readonly string[]) => FailureKind | undefined | Promise<FailureKind | undefined>,
  { texts = 32, calls = 1 } = {},
) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const batches: string[][] = [];
  const failures: EmbeddingFailure[] = [];
  const queue = new EmbeddingQueue({
    limits: async () => ({ texts, calls }),
    work: async (ids) => {
      batches.push([...ids]);
      const kind = await work(ids);
      if (kind) throw new EmbeddingFailure(kind, kind === 'BUSY' ? { retryAfterMs: 30_000 } : {});
    },
    onFailure: (failure) => failures.push(failure),
  });
  const running = queue.run();
  onTestFinished(async () => {
    queue.close();
    await running.catch(() => {});
    vi.useRealTimers();
  });
  return { queue, batches, failures, running };
}

/** Runs pending microtasks without advancing the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);
}

async function pass(ms: number): Promise<void> {
  const end = performance.now() + ms;
  await settle();
  while (vi.getTimerCount() > 0 && performance.now() < end) {
    await vi.advanceTimersToNextTimerAsync();
    await settle();
  }
}

const idsFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `id${from + index}`);

test('ids are embedded in batches, each once however often it was added', async () => {
  const { queue, batches } = start(() => undefined);
  for (const id of [...idsFrom(0, 70), ...idsFrom(0, 70)]) queue.add(id);
  expect(queue.waiting).toBe(70);
  await settle();
  expect(batches.map(({ length }) => length)).toEqual([32, 32, 6]);
  queue.add('late');
  await settle();
  expect(batches.at(-1)).toEqual(['late']);
});

test('concurrent batches are limited', async () => {
  let running = 0;
  let most = 0;
  const { queue, batches } = start(
    async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return undefined;
    },
    { texts: 1, calls: 2 },
  );
  for (const id of idsFrom(0, 20)) queue.add(id);
  await settle();
  expect({ most, done: batches.length }).toEqual({ most: 2, done: 20 });
});

test('an unreachable server is retried with growing pauses, then gets all waiting ids', async () => {
  let isDown = true;
  const { queue, batches } = start(() => (isDown ? 'UNREACHABLE' : undefined));
  for (const id of idsFrom(0, 40)) queue.add(id);
  await settle();
  expect(batches).toHaveLength(1);
  await pass(60 * 60_000);
  expect(batches.length).toBeGreaterThan(60);
  expect(batches.length).toBeLessThan(140);
  expect(queue.waiting).toBe(40);

  isDown = false;
  batches.length = 0;
  await pass(60_000);
  expect(batches.flat().sort()).toEqual(idsFrom(0, 40).sort());
});

test('texts that are added during a backoff wait with the rest', async () => {
  const { queue, batches } = start(() => (batches.length === 1 ? 'BUSY' : undefined));
  queue.add('first');
  await settle();
  queue.add('second');
  await vi.advanceTimersByTimeAsync(29_000);
  await settle();
  expect(batches).toEqual([['first']]);
  await pass(31_000);
  expect(batches.slice(1).flat().sort()).toEqual(['first', 'second']);
});

test('a bad text is isolated, and all other texts are embedded within seconds', async () => {
  const { queue, batches } = start((ids) => (ids.includes('id7') ? 'TEXTS_REFUSED' : undefined));
  for (const id of idsFrom(0, 100)) queue.add(id);
  await pass(15_000);
  const done = batches.filter((ids) => !ids.includes('id7')).flat();
  expect(done.sort()).toEqual(
    idsFrom(0, 100)
      .filter((id) => id !== 'id7')
      .sort(),
  );
  expect(batches.filter((ids) => ids.includes('id7')).at(-1)).toEqual(['id7']);
});

test('a bad text is retried rarely and does not delay new ids', async () => {
  const { queue, batches } = start((ids) => (ids.includes('bad') ? 'FAILING' : undefined));
  queue.add('bad');
  await pass(24 * 60 * 60_000);
  expect(batches.length).toBeLessThan(24 * 14);
  expect(batches.length).toBeGreaterThan(24 * 5);
  queue.add('good');
  await settle();
  expect(batches.at(-1)).toEqual(['good']);
});

test('a server that fails every batch gets a pause after a few failures', async () => {
  const { queue, batches } = start(() => 'FAILING');
  for (const id of idsFrom(0, 3_200)) queue.add(id);
  await settle();
  expect(batches).toHaveLength(3);
});

test('a text that changes while its batch fails is tried at once', async () => {
  const { queue, batches } = start(() => (batches.length === 1 ? 'TEXTS_REFUSED' : undefined));
  queue.add('id');
  await settle();
  queue.add('id');
  await settle();
  expect(batches).toEqual([['id'], ['id']]);
});

test('an error that is not a failure of embedding ends the work', async () => {
  const { queue, running } = start(() => Promise.reject(new Error('disk full')));
  const rejected = expect(running).rejects.toThrow('disk full');
  queue.add('id');
  await rejected;
});
