/** Numbers that look random and are the same in every run. Source: mulberry32 by Tommy Ettinger, public domain; FNV-1a for the seed. */

/** 0 up to 1, without 1. */
export function randomOf(seed: string): () => number {
  let state = hash(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193);
  return state;
}

/** One of the items, more often the heavier it is. Undefined when there is none. */
export function pickWeighted<T>(items: readonly T[], weightOf: (item: T) => number, random: () => number): T | undefined {
  let left = random() * items.reduce((sum, item) => sum + weightOf(item), 0);
  for (const item of items) {
    left -= weightOf(item);
    if (left < 0) return item;
  }
  return items.at(-1);
}
