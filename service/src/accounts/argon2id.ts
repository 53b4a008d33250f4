/**
 * Argon2id (RFC 9106): Node's own implementation in its thread pool (from 24.7), otherwise JavaScript, which yields to other work.
 *
 * Units: `memory` in KiB, `tagLength` in bytes.
 */

import type { Argon2Parameters } from 'node:crypto';
import * as crypto from 'node:crypto';

export interface Argon2idInput extends Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism' | 'tagLength'> {
  message: Uint8Array;
  /** The salt. */
  nonce: Uint8Array;
  secret?: Uint8Array;
  associatedData?: Uint8Array;
}

export type Argon2id = (input: Argon2idInput) => Promise<Uint8Array>;

export function argon2idByNode(input: Argon2idInput): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    crypto.argon2('argon2id', input, (error, tag) => (error ? reject(error) : resolve(tag)));
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Hashes run one after the other: each allocates its memory at the start, and running them concurrently would not be faster. */
export function argon2idInJavaScript(input: Argon2idInput): Promise<Uint8Array> {
  const next = last.then(() => inJavaScript(input));
  last = next.catch(() => {});
  return next;
}

async function inJavaScript({ message, nonce, memory, passes, parallelism, tagLength, secret, associatedData }: Argon2idInput) {
  const { argon2idAsync } = await import('@noble/hashes/argon2.js');
  return argon2idAsync(message, nonce, {
    m: memory,
    t: passes,
    p: parallelism,
    dkLen: tagLength,
    ...(secret && { key: secret }),
    ...(associatedData && { personalization: associatedData }),
  });
}

export const argon2id: Argon2id = typeof crypto.argon2 === 'function' ? argon2idByNode : argon2idInJavaScript;
