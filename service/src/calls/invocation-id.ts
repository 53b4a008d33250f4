/**
 * An invocation id: `inv_`, the time, a number within its millisecond and 96 random bits, unique across nodes. Ids of one process sort in the order
 * of their calls: lists show that order, and concurrent calls write to few pages of the store's index.
 */
import { randomBytes } from 'node:crypto';
import { firstIdAt } from '../store/sql/statements';

const RANDOM_BYTES = 12;
/** Random bytes are generated in blocks: one system call serves many ids. */
const BLOCK_BYTES = RANDOM_BYTES * 256;
let block = randomBytes(BLOCK_BYTES);
let used = 0;

/** Digits in base 36. They number 1,296 calls of a millisecond, many times what a process takes. Any more share the last number. */
const NUMBER_DIGITS = 2;
const MAX_NUMBER = 36 ** NUMBER_DIGITS - 1;
let millisecond = 0;
let number = 0;

export function newInvocationId(now: number = Date.now()): string {
  if (used === BLOCK_BYTES) {
    block = randomBytes(BLOCK_BYTES);
    used = 0;
  }
  used += RANDOM_BYTES;
  number = now === millisecond ? Math.min(number + 1, MAX_NUMBER) : 0;
  millisecond = now;
  return `${firstIdAt(now)}${number.toString(36).padStart(NUMBER_DIGITS, '0')}${block.toString('base64url', used - RANDOM_BYTES, used)}`;
}
