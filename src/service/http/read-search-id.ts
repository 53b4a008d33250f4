/** `Svc-Search-Id` of a request. What cannot be one is left out: no call fails for what it was only to teach. */

const MAX_CHARS = 100;

export function readSearchId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' && header.length <= MAX_CHARS ? header : undefined;
}
