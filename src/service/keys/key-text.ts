/**
 * The text of a key: `svc_<kind>_<secret><checksum>`, docs/protocol.md section 2.
 *
 * The secret is 256 random bits, so a plain SHA-256 keeps it: nobody can try them all, which slow password hashes are for.
 * Keys are looked up by that hash, so no comparison needs constant time: what its timing could tell is a part of the hash, which is no way back to
 * the key.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../store/store';
import { toBase62 } from './base62';

const SECRET_CHARS = 43;
const CHECKSUM_CHARS = 6;
const PREFIX = /^svc_(agent|toolkit|admin)_/;
const BASE62 = /^[0-9A-Za-z]*$/;

export type KeyProblem = 'prefix' | 'length' | 'typo';

export function makeKey(kind: KeyKind): string {
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_CHARS);
  return withChecksum(`svc_${kind}_${secret}`);
}

/** What a text says by itself, without asking the store: the kind of key, or why it cannot be one. */
export function readKey(text: string): { kind: KeyKind; hash: string } | { problem: KeyProblem } {
  const [prefix, kind] = PREFIX.exec(text) ?? [];
  if (prefix === undefined) return { problem: 'prefix' };
  if (text.length !== prefix.length + SECRET_CHARS + CHECKSUM_CHARS) return { problem: 'length' };
  const isTypo = !BASE62.test(text.slice(prefix.length)) || withChecksum(text.slice(0, -CHECKSUM_CHARS)) !== text;
  return isTypo ? { problem: 'typo' } : { kind: kind as KeyKind, hash: hashKey(text) };
}

/** SHA-256 in lower-case hex: all that the store keeps of a key. */
export function hashKey(text: string): string {
  return hash('sha256', text);
}

function withChecksum(text: string): string {
  return text + toBase62(BigInt(crc32(text)), CHECKSUM_CHARS);
}
