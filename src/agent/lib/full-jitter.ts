/** The wait before the next try, in milliseconds: "full jitter", a random part of a time that doubles with each try. */
const FIRST_MS = 1_000;
const MAX_MS = 60_000;

/** @param tried tries so far, from 1 on */
export function fullJitterMs(tried: number): number {
  return Math.random() * Math.min(MAX_MS, FIRST_MS * 2 ** (tried - 1));
}
