/** Texts up to this length share a buffer. */
const SHARED_CHARS = 64 * 1024;
const MAX_BYTES_PER_CHAR = 3;

const encoder = new TextEncoder();
/** Made with the first text. */
let shared: Uint8Array | undefined;

/**
 * The UTF-8 of a text for a loop over its characters, up to `end`; a zero is behind it. Valid until the next text. ASCII characters are bytes of their
 * own, which no other character has.
 *
 * V8 keeps strings in many forms, and a loop over the characters of all kinds of them looks the form up at each character: at 30 kB three times the
 * cost of this copy and a loop over bytes.
 */
export function textBytes(text: string): { bytes: Uint8Array; end: number } {
  const bytes = bufferFor(text.length);
  const { written } = encoder.encodeInto(text, bytes);
  bytes[written] = 0;
  return { bytes, end: written };
}

function bufferFor(chars: number): Uint8Array {
  if (chars > SHARED_CHARS) return new Uint8Array(chars * MAX_BYTES_PER_CHAR + 1);
  shared ??= new Uint8Array(SHARED_CHARS * MAX_BYTES_PER_CHAR + 1);
  return shared;
}
