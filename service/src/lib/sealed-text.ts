/**
 * Authenticated encryption of a short text.
 *
 * Shape:  12 bytes nonce, ciphertext, 16 bytes tag. `boundTo` is additional data: the text opens only in the place for which it was sealed.
 * Source: AES-256-GCM, NIST SP 800-38D; HKDF-SHA-256, RFC 5869.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key for one purpose, so that two uses of a secret share no key. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

export function sealText(key: Buffer, text: string, boundTo: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined for another key, another place, and a text that was changed. */
export function openText(key: Buffer, sealed: Buffer, boundTo: string): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
