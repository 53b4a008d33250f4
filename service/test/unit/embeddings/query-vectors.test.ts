import { expect, onTestFinished, test, vi } from 'vitest';
import type { Direction } from '../../../src/embeddings/directions';
import { EmbeddingFailure, type FailureKind } from '../../../src/embeddings/embedding-failure';
import { QueryVectors } from '../../../src/embeddings/query-vectors';

const DIRECTION: Direction = Int8Array.of(1, 2, 3);
const DEADLINE_MS = 100;

/** An embedder that answers after `server.ms`, with `server.kind` when it fails. */
function setUp() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const server = { ms: 10, kind: undefined as FailureKind | undefined, asked: [] as string[] };
  const failures: FailureKind[] = [];
  const queries = new QueryVectors({
    deadlineMs: DEADLINE_MS,
    embed: (text) => {
      server.asked.push(text);
      const { ms, kind } = server;
      return new Promise((resolve, reject) => {
        setTimeout(() => (kind ? reject(new EmbeddingFailure(kind)) : resolve(DIRECTION)), ms);
      });
    },
    onFailure: ({ kind }) => failures.push(kind),
  });
  /** The answer and its duration. */
  const find = async (query: string) => {
    const before = performance.now();
    let took = -1;
    const found = queries.find(query).then((direction) => {
      took = performance.now() - before;
      return direction;
    });
    for (let step = 0; step < DEADLINE_MS + 10 && took < 0; step++) await vi.advanceTimersByTimeAsync(took < 0 ? 1 : 0);
    return { direction: await found, took };
  };
  return { server, failures, queries, find };
}

test('a slow server delays a search until the deadline at most, and a late vector is cached', async () => {
  const { server, failures, find } = setUp();
  server.ms = 500;
  expect(await find('cars')).toEqual({ direction: undefined, took: DEADLINE_MS });
  expect(failures).toEqual(['LATE']);
  // No second caller waits while the answer is open.
  expect((await find('cars')).took).toBeLessThan(2);
  await vi.advanceTimersByTimeAsync(500);
  expect((await find('cars')).direction).toEqual(DIRECTION);
  expect(server.asked).toEqual(['cars']);
});

test('after some consecutive failures the server gets a growing backoff, and no caller waits for the retries', async () => {
  const { server, find } = setUp();
  server.ms = 60_000;
  for (let time = 0; time < 3; time++) expect((await find(`query ${time}`)).took).toBe(DEADLINE_MS);
  for (let time = 0; time < 20; time++) expect((await find(`more ${time}`)).took).toBeLessThan(2);
  expect(server.asked).toHaveLength(3);

  const before = server.asked.length;
  for (let second = 0; second < 600; second++) {
    expect((await find(`later ${second}`)).took).toBeLessThan(2);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(server.asked.length - before).toBeGreaterThan(8);
  expect(server.asked.length - before).toBeLessThan(25);
});

test('the circuit closes after the first answer in time', async () => {
  const { server, find } = setUp();
  server.kind = 'UNREACHABLE';
  for (let time = 0; time < 3; time++) await find(`query ${time}`);
  server.kind = undefined;
  await vi.advanceTimersByTimeAsync(1_100);
  expect((await find('a try')).direction).toBeUndefined();
  await vi.advanceTimersByTimeAsync(20);
  expect((await find('a query')).direction).toEqual(DIRECTION);
  expect((await find('a try')).direction).toEqual(DIRECTION);
});

test('refused queries do not open the circuit', async () => {
  const { server, find } = setUp();
  server.kind = 'TEXTS_REFUSED';
  for (let time = 0; time < 10; time++) await find(`odd ${time}`);
  server.kind = undefined;
  expect((await find('cars')).direction).toEqual(DIRECTION);
});

test('at most 32 queries run at a time; further searches have no vector', async () => {
  const { server, queries } = setUp();
  const found = Array.from({ length: 100 }, (_, number) => queries.find(`query ${number}`));
  await vi.advanceTimersByTimeAsync(20);
  expect((await Promise.all(found)).filter(Boolean)).toHaveLength(32);
  expect(server.asked).toHaveLength(32);
});

test('a query is cut, and its invalid characters are replaced', async () => {
  const { server, find } = setUp();
  await find(` \uD800${'x'.repeat(10_000)}`);
  expect(server.asked[0]).toHaveLength(2_000 - 1);
  expect(server.asked[0]!.isWellFormed()).toBe(true);
});

test('the most recent queries are cached', async () => {
  const { server, find, queries } = setUp();
  await find('often');
  for (let number = 0; number < 2_500; number++) {
    const found = queries.find(`query ${number}`);
    void queries.find('often');
    await vi.advanceTimersByTimeAsync(10);
    await found;
  }
  server.asked.length = 0;
  await find('often');
  await find('query 2499');
  await find('query 0');
  expect(server.asked).toEqual(['query 0']);
});
