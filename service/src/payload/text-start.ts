/** The start of a text in at most `maxBytes` of UTF-8, cut between characters. */
export function textStart(text: string, maxBytes: number): string {
  // A UTF-16 code unit is at least one byte, so `maxBytes` code units are enough.
  return new TextDecoder().decode(Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes), { stream: true });
}
