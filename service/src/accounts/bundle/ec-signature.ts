/**
 * Replaces `unwrapEC2Signature` of @simplewebauthn/server in the bundle, which brings a library of ASN.1: 7 packages.
 *
 * Shape:  DER `SEQUENCE {INTEGER r, INTEGER s}` to `r || s`, each in the bytes of the curve, as WebCrypto reads it.
 * Source: WebAuthn Level 3, section 6.5.5; X.690, section 8.3.
 */
const SEQUENCE = 0x30;
const INTEGER = 0x02;
/** COSE curve -> bytes of a number: P-256, P-384, P-521. */
const NUMBER_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 48],
  [3, 66],
]);

export function unwrapEC2Signature(signature: Uint8Array, curve: number): Uint8Array {
  const length = NUMBER_BYTES.get(curve);
  if (length === undefined) throw new Error(`Curve ${curve} is not known`);
  const sequence = readElement(signature, SEQUENCE);
  const r = readElement(sequence.content, INTEGER);
  const s = readElement(r.rest, INTEGER);
  if (sequence.rest.length > 0 || s.rest.length > 0) throw new Error('Bytes follow the signature');
  const unwrapped = new Uint8Array(2 * length);
  unwrapped.set(unsigned(r.content, length), 0);
  unwrapped.set(unsigned(s.content, length), length);
  return unwrapped;
}

function readElement(bytes: Uint8Array, tag: number): { content: Uint8Array; rest: Uint8Array } {
  // A signature has at most 141 bytes, so a length has one byte, or 0x81 and one byte.
  const start = bytes[1] === 0x81 ? 3 : 2;
  const length = bytes[start - 1];
  if (bytes[0] !== tag || length === undefined || (start === 2 && length >= 0x80) || start + length > bytes.length)
    throw new Error('The signature is not in DER');
  return { content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}

/** The number with zeros in front, in so many bytes. DER writes as few bytes as possible, and a zero before a first bit that is set. */
function unsigned(number: Uint8Array, length: number): Uint8Array {
  const first = number.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? number.subarray(number.length) : number.subarray(first);
  if (digits.length > length) throw new Error(`A number of the signature has ${digits.length} bytes`);
  const bytes = new Uint8Array(length);
  bytes.set(digits, length - digits.length);
  return bytes;
}
