/** `inv_` and 96 random bits: unique for ever, on every node. */
import { randomBytes } from 'node:crypto';

/** Random bytes are drawn in blocks: one system call for many ids. */
const BLOCK_BYTES = 12 * 256;
const ID_BYTES = 12;
let block = randomBytes(BLOCK_BYTES);
let used = 0;

export function newInvocationId(): string {
  if (used === BLOCK_BYTES) {
    block = randomBytes(BLOCK_BYTES);
    used = 0;
  }
  used += ID_BYTES;
  return `inv_${block.toString('base64url', used - ID_BYTES, used)}`;
}
