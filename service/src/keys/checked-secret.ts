/**
 * `<prefix><secret><checksum>`: 256 random bits in base 62, with a checksum that distinguishes a mistyped text from an unknown one. A fast
 * hash is enough to store the secret: brute force cannot find 256 bits.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase62 } from './base62';

const SECRET_CHARS = 43;
const CHECKSUM_CHARS = 6;
const BASE62 = /^[0-9A-Za-z]*$/;

export type SecretProblem = 'length' | 'typo';

export function makeSecret(prefix: string): string {
  return withChecksum(prefix + toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_CHARS));
}

/** The reason why a text that begins with `prefix` is not a valid secret. */
export function secretProblem(text: string, prefix: string): SecretProblem | undefined {
  if (text.length !== prefix.length + SECRET_CHARS + CHECKSUM_CHARS) return 'length';
  const isTypo = !BASE62.test(text.slice(prefix.length)) || withChecksum(text.slice(0, -CHECKSUM_CHARS)) !== text;
  return isTypo ? 'typo' : undefined;
}

function withChecksum(text: string): string {
  return text + toBase62(BigInt(crc32(text)), CHECKSUM_CHARS);
}
