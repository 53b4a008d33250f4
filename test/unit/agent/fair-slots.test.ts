import { expect, test } from 'vitest';
import { FairSlots } from '../../../src/agent/turns/fair-slots';

const never = new AbortController().signal;

/** Starts work that ends when the test resolves it. */
function worker(slots: FairSlots) {
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (key: string, name = key) =>
    slots.run(key, never, async () => {
      running.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      running.splice(running.indexOf(name), 1);
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { running, begin, end };
}

test('one key never has the last slot', async () => {
  const { running, begin } = worker(new FairSlots(3));
  for (const name of ['a1', 'a2', 'a3']) void begin('a', name);
  expect(running).toEqual(['a1', 'a2']);
  void begin('b');
  expect(running).toEqual(['a1', 'a2', 'b']);
});

test('a limit of one slot serves every key', async () => {
  const { running, begin, end } = worker(new FairSlots(1));
  void begin('a');
  void begin('b');
  expect(running).toEqual(['a']);
  await end('a');
  expect(running).toEqual(['b']);
});

test('keys are served round robin, each in order', async () => {
  const { running, begin, end } = worker(new FairSlots(2));
  for (const name of ['a1', 'a2', 'a3']) void begin('a', name);
  void begin('b', 'b1');
  void begin('b', 'b2');
  void begin('c', 'c1');
  expect(running).toEqual(['a1', 'b1']);
  await end('b1');
  expect(running).toEqual(['a1', 'b2']);
  await end('a1');
  expect(running).toEqual(['b2', 'a2']);
  await end('b2');
  expect(running).toEqual(['a2', 'c1']);
  await end('c1');
  expect(running).toEqual(['a2']);
  await end('a2');
  expect(running).toEqual(['a3']);
});

test('an aborted waiter leaves the queue and does not use a slot', async () => {
  const slots = new FairSlots(1);
  const { running, begin, end } = worker(slots);
  void begin('a');
  const leaving = new AbortController();
  const waiting = slots.run('b', leaving.signal, async () => {});
  void begin('c');
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await end('a');
  expect(running).toEqual(['c']);
  await expect(slots.run('d', leaving.signal, async () => {})).rejects.toThrow('gone');
});

test('work that throws gives its slot back', async () => {
  const slots = new FairSlots(1);
  await expect(slots.run('a', never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(slots.run('a', never, async () => 'ran')).resolves.toBe('ran');
});
