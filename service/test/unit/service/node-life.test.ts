import type { ClientBase } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NodeLife } from '../../../src/store/postgres/session';

/** A database with its own clock. */
function setUp() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let clock = 1_700_000_000_000;
  let answerMs = 0;
  const query = async () => {
    pass(answerMs);
    return { rows: [{ seen_at: clock }] };
  };
  const client = { query } as unknown as ClientBase;
  const answerIn = (ms: number) => {
    answerMs = ms;
  };
  const pass = (ms: number, jumpMs = 0) => {
    vi.advanceTimersByTime(ms);
    clock += ms + jumpMs;
  };
  return { life: new NodeLife('node_a'), client, pass, answerIn };
}

test('a node declares others dead from its start, as long as the clocks agree', async () => {
  const { life, client, pass } = setUp();
  for (let beat = 0; beat < 3; beat++) {
    await life.beat(client);
    expect(life.mayDeclareDead).toBe(true);
    pass(60_000, 1_000);
  }
});

test.each([3_600_000, -3_600_000])('after a jump of the clock by %d ms a node waits until others could send heartbeats', async (jumpMs) => {
  const { life, client, pass } = setUp();
  await life.beat(client);
  pass(2_000, jumpMs);
  await life.beat(client);
  expect(life.mayDeclareDead).toBe(false);
  pass(9_999);
  expect(life.mayDeclareDead).toBe(false);
  pass(1);
  await life.beat(client);
  expect(life.mayDeclareDead).toBe(true);
});

test('a node that was cut off from the database waits as long', () => {
  const { life, pass } = setUp();
  life.interrupted();
  expect(life.mayDeclareDead).toBe(false);
  pass(10_000);
  expect(life.mayDeclareDead).toBe(true);
});

test('a node that waited for the database declares no node dead, because the others waited too', async () => {
  const { life, client, pass, answerIn } = setUp();
  await life.beat(client);
  pass(2_000);
  answerIn(9_000);
  await life.beat(client);
  expect(life.mayDeclareDead).toBe(false);
});
