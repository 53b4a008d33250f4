import { expect, test } from 'vitest';
import { FairQueue } from '../../../src/hub/fair-queue';

interface Item {
  owner: string;
  number: number;
}

function filled(lengths: Record<string, number>): { queue: FairQueue<Item>; items: Item[] } {
  const queue = new FairQueue<Item>();
  const items = Object.entries(lengths).flatMap(([owner, length]) => Array.from({ length }, (_, number) => ({ owner, number })));
  for (const item of items) queue.add(item.owner, item);
  return { queue, items };
}

function takeAll(queue: FairQueue<Item>, mayLeave: (item: Item) => boolean = () => true): string[] {
  const taken: string[] = [];
  for (let item = queue.take(mayLeave); item; item = queue.take(mayLeave)) taken.push(`${item.owner}${item.number}`);
  return taken;
}

test('owners take turns, and each owner gets its items in their order', () => {
  const { queue } = filled({ a: 4, b: 2, c: 1 });
  expect(takeAll(queue)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
  expect(queue.size).toBe(0);
});

test('an owner that returns waits for its turn', () => {
  const { queue } = filled({ a: 2, b: 2 });
  queue.take(() => true);
  queue.add('c', { owner: 'c', number: 0 });
  expect(takeAll(queue)).toEqual(['b0', 'a1', 'c0', 'b1']);
});

test('an owner whose items may not leave now delays no other owner and keeps its turn', () => {
  const { queue } = filled({ a: 2, b: 2 });
  expect(takeAll(queue, ({ owner }) => owner !== 'a')).toEqual(['b0', 'b1']);
  queue.add('b', { owner: 'b', number: 2 });
  expect(takeAll(queue)).toEqual(['a0', 'b2', 'a1']);
});

test('an item behind one that may not leave is found', () => {
  const { queue } = filled({ a: 3 });
  expect(takeAll(queue, ({ number }) => number === 2)).toEqual(['a2']);
  expect(takeAll(queue)).toEqual(['a0', 'a1']);
});

test.each<[string, Record<string, number>, string, string | undefined]>([
  ['the newest of the longest line gives way to an owner without items', { a: 5, b: 2 }, 'c', 'a4'],
  ['and to an owner with a shorter line', { a: 5, b: 2 }, 'b', 'a4'],
  ['the owner of the longest line gets no room', { a: 5, b: 2 }, 'a', undefined],
  ['nor an owner whose line would be as long as the longest', { a: 5, b: 4 }, 'b', undefined],
  ['an only item is never dropped', { a: 1, b: 1, c: 1 }, 'd', undefined],
  ['an empty queue has nothing to drop', {}, 'a', undefined],
])('%s', (_what, lengths, owner, dropped) => {
  const { queue } = filled(lengths);
  const { size } = queue;
  const item = queue.dropFor(owner);
  expect(item && `${item.owner}${item.number}`).toBe(dropped);
  expect(queue.size).toBe(dropped ? size - 1 : size);
});

test('after any changes the longest line is known and no item is lost', () => {
  const owners = ['a', 'b', 'c', 'd'];
  const queue = new FairQueue<Item>();
  const model: Item[] = [];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const lengthOf = (owner: string) => model.filter((item) => item.owner === owner).length;
  for (let number = 0; number < 5_000; number++) {
    const owner = owners[random(owners.length)] as string;
    const change = random(8);
    if (change < 4) {
      const item = { owner, number };
      queue.add(owner, item);
      model.push(item);
    } else if (change === 4 && model.length > 0) {
      const [item] = model.splice(random(model.length), 1);
      if (item) queue.delete(item);
    } else if (change === 5) {
      const longest = Math.max(...owners.map(lengthOf));
      const dropped = queue.dropFor(owner);
      expect(dropped !== undefined).toBe(lengthOf(owner) + 1 < longest);
      if (!dropped) continue;
      expect(lengthOf(dropped.owner)).toBe(longest);
      expect(model.findLast((item) => item.owner === dropped.owner)).toBe(dropped);
      model.splice(model.indexOf(dropped), 1);
    } else {
      const taken = queue.take((item) => item.owner !== owner);
      if (!taken) continue;
      expect(model.find((item) => item.owner === taken.owner)).toBe(taken);
      model.splice(model.indexOf(taken), 1);
    }
    expect(queue.size).toBe(model.length);
  }
  expect(new Set(queue.items())).toEqual(new Set(model));
});

test('a hundred thousand items of ten thousand owners are added and removed in constant time each', () => {
  const queue = new FairQueue<Item>();
  const items = Array.from({ length: 100_000 }, (_, number) => ({ owner: `key-${number % 10_000}`, number }));
  for (const item of items) queue.add(item.owner, item);
  for (const item of items.filter(({ number }) => number % 2 === 0)) queue.delete(item);
  expect(takeAll(queue)).toHaveLength(50_000);
});
