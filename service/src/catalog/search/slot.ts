/**
 * The slot of a term in a table with open addressing.
 *
 * Shape:  0 to `size` - 1; `size` is a power of two. Each process has another one, so that a toolkit cannot register words that all have the same place.
 * Source: the finalizer of MurmurHash3 (Appleby).
 */
import { randomBytes } from 'node:crypto';

const SEED = randomBytes(4).readInt32LE();

export function slot(term: number, size: number): number {
  let hash = term ^ SEED;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & (size - 1);
}
