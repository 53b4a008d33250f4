/** The beginning of a text in at most so many bytes of UTF-8; never half a character. */
export function textStart(text: string, maxBytes: number): string {
  // No character is less than a byte: what is beyond need not be looked at.
  return new TextDecoder().decode(Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes), { stream: true });
}
