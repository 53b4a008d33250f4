/**
 * The text of a key: `svc_<kind>_<secret><checksum>`, docs/protocol.md section 2.
 *
 * Keys are looked up by their SHA-256, so no comparison needs constant time: timing could reveal only a part of the hash, which does not
 * reveal the key.
 */
import type { KeyKind } from '#sdk/protocol/http';
import { sha256Hex } from '../lib/sha256-hex';
import { makeSecret, type SecretProblem, secretProblem } from './checked-secret';

/** The prefix of an agent token, which is not a key. */
export const TOKEN_PREFIX = 'svc_token_';

const PREFIX = /^svc_(agent|toolkit|admin)_/;

export type KeyProblem = 'prefix' | SecretProblem;

export function makeKey(kind: KeyKind): string {
  return makeSecret(`svc_${kind}_`);
}

/** Parses a text without the store: returns the kind of key, or the reason why the text is not a key. */
export function readKey(text: string): { kind: KeyKind; hash: string } | { problem: KeyProblem } {
  const [prefix, kind] = PREFIX.exec(text) ?? [];
  if (prefix === undefined) return { problem: 'prefix' };
  const problem = secretProblem(text, prefix);
  return problem ? { problem } : { kind: kind as KeyKind, hash: hashKey(text) };
}

/** The store keeps only this hash of a key. */
export function hashKey(text: string): string {
  return sha256Hex(text);
}
