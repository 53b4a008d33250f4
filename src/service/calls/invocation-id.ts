/**
 * An invocation id: `inv_`, the time and 96 random bits, unique across nodes. Ids sort by time, so that concurrent calls write to few pages of
 * the store's index.
 */
import { randomBytes } from 'node:crypto';
import { firstIdAt } from '../store/sql/statements';

const RANDOM_BYTES = 12;
/** Random bytes are generated in blocks: one system call serves many ids. */
const BLOCK_BYTES = RANDOM_BYTES * 256;
let block = randomBytes(BLOCK_BYTES);
let used = 0;

export function newInvocationId(): string {
  if (used === BLOCK_BYTES) {
    block = randomBytes(BLOCK_BYTES);
    used = 0;
  }
  used += RANDOM_BYTES;
  return `${firstIdAt(Date.now())}${block.toString('base64url', used - RANDOM_BYTES, used)}`;
}
