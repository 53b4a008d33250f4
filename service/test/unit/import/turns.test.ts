/** Turns of the event loop: how the messages of many servers share them. */
import { expect, test } from 'vitest';
import { Turns } from '../../../import/mcp/turns';

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A server with so many messages. */
function server(name: string, messages: number, handled: string[]) {
  let left = messages;
  return () => {
    left--;
    handled.push(name);
    return left > 0;
  };
}

test('a server with 10,000 messages gets at most 32 of them into one turn', async () => {
  const turns = new Turns();
  const handled: string[] = [];
  turns.add(server('flood', 10_000, handled));
  let before = 0;
  while (handled.length < 10_000) {
    await nextTurn();
    expect(handled.length - before).toBeLessThanOrEqual(32);
    before = handled.length;
  }
});

test('servers with messages take turns, so one message of another waits for no flood', async () => {
  const turns = new Turns();
  const handled: string[] = [];
  turns.add(server('first flood', 1_000, handled));
  turns.add(server('second flood', 1_000, handled));
  await nextTurn();
  const before = handled.length;
  turns.add(server('quiet', 1, handled));
  while (!handled.includes('quiet')) await nextTurn();
  expect(handled.indexOf('quiet') - before).toBeLessThanOrEqual(2);
});

test('a turn ends after some milliseconds, also when each message takes long', async () => {
  const turns = new Turns();
  const handled: string[] = [];
  const slow = server('slow', 40, handled);
  turns.add(() => {
    const endsAt = performance.now() + 6;
    while (performance.now() < endsAt);
    return slow();
  });
  await nextTurn();
  expect(handled).toHaveLength(1);
});

test('a step that waits for the next turn is not run again in this one', async () => {
  const turns = new Turns();
  let runs = 0;
  const step = () => {
    runs++;
    turns.add(step);
    return false;
  };
  turns.add(step);
  await nextTurn();
  expect(runs).toBe(1);
});
