import { expect, test } from 'vitest';
import { type Direction, toDirections } from '../../../src/embeddings/directions';
import { VectorIndex } from '../../../src/embeddings/vector-index';

/** The same numbers each time, from -1 to 1. */
function randomNumbers(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function randomDirection(dimensions: number, random: () => number): Direction {
  return directionOf(Array.from({ length: dimensions }, random));
}

function directionOf(embedding: number[]): Direction {
  return toDirections([embedding], { count: 1, dimensions: undefined })[0]!;
}

function cosine(a: Direction, b: Direction): number {
  const product = a.reduce((sum, number, place) => sum + number * b[place]!, 0);
  return product / Math.hypot(...a) / Math.hypot(...b);
}

test.each([1, 15, 16, 17, 384, 1_000])('the nearest of %i dimensions are those that a comparison by hand finds', (dimensions) => {
  const random = randomNumbers(dimensions);
  const index = new VectorIndex();
  const directions = new Map(Array.from({ length: 2_500 }, (_, number) => [`id${number}`, randomDirection(dimensions, random)]));
  for (const [id, direction] of directions) index.set(id, direction);
  const query = randomDirection(dimensions, random);
  const accept = (id: string) => !id.endsWith('3');
  const byHand = [...directions]
    .map(([id, direction]) => ({ id, cosine: Math.fround(cosine(query, direction)) }))
    .filter(({ id }) => accept(id))
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  const found = index.search(query, { limit: 20, accept });
  expect(found).toHaveLength(20);
  if (dimensions > 1) expect(found).toEqual(byHand.slice(0, 20).map(({ id }) => id));
});

test('a change replaces the vector, a removal leaves the others as they were', () => {
  const random = randomNumbers(7);
  const index = new VectorIndex();
  const directions = new Map(Array.from({ length: 300 }, (_, number) => [`id${number}`, randomDirection(48, random)]));
  for (const [id, direction] of directions) index.set(id, direction);
  for (let number = 0; number < 300; number += 2) index.remove(`id${number}`);
  index.remove('unknown');
  index.set('id7', directions.get('id8')!);
  index.set('new', directions.get('id10')!);
  expect(index.size).toBe(151);
  for (let number = 1; number < 300; number += 2) {
    if (number !== 7) expect(index.search(directions.get(`id${number}`)!, { limit: 1 })).toEqual([`id${number}`]);
  }
  expect(index.search(directions.get('id8')!, { limit: 1 })).toEqual(['id7']);
  expect(index.search(directions.get('id10')!, { limit: 1 })).toEqual(['new']);
});

test('all vectors can be removed, and others added', () => {
  const index = new VectorIndex();
  expect(index.search(directionOf([1, 2]), { limit: 3 })).toEqual([]);
  index.set('a', directionOf([1, 2]));
  index.remove('a');
  index.remove('a');
  expect(index.search(directionOf([1, 2]), { limit: 3 })).toEqual([]);
  index.set('b', directionOf([2, 1]));
  expect(index.search(directionOf([1, 2]), { limit: 3 })).toEqual(['b']);
});

test('equal cosines are sorted by id, and lengths do not count', () => {
  const ids = ['d', 'b', 'a', 'c'];
  for (const order of [ids, ids.toReversed()]) {
    const index = new VectorIndex();
    for (const [place, id] of order.entries()) index.set(id, directionOf([1 + place, 2 + 2 * place]));
    expect(index.search(directionOf([1, 2]), { limit: 3 })).toEqual(['a', 'b', 'c']);
  }
});

test('the order is nearly the order by the original embeddings', () => {
  const random = randomNumbers(3);
  const topics = Array.from({ length: 20 }, () => Array.from({ length: 384 }, random));
  const near = (topic: number[]) => topic.map((number) => number + 0.8 * random());
  const embeddings = Array.from({ length: 600 }, (_, number) => ({ id: `id${number}`, embedding: near(topics[number % 20]!) }));
  const index = new VectorIndex();
  for (const { id, embedding } of embeddings) index.set(id, directionOf(embedding));
  let same = 0;
  for (const topic of topics) {
    const query = near(topic);
    const exact = embeddings.map(({ id, embedding }) => ({ id, nearness: exactCosine(query, embedding) }));
    exact.sort((a, b) => b.nearness - a.nearness);
    const found = new Set(index.search(directionOf(query), { limit: 10 }));
    same += exact.slice(0, 10).filter(({ id }) => found.has(id)).length;
  }
  expect(same / (10 * topics.length)).toBeGreaterThan(0.95);
});

function exactCosine(a: number[], b: number[]): number {
  return a.reduce((sum, number, place) => sum + number * b[place]!, 0) / Math.hypot(...b);
}
