/** The text as a client may get it: no quote, no backslash, only visible ASCII and spaces. RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3. */
export function errorDescription(text: string): string {
  return text.replaceAll(/["\\]/g, "'").replaceAll(/[^ -~]/g, '?');
}
