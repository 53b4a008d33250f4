/** Reads `Svc-Search-Id`. An invalid value is ignored, because the header only improves the ranking and must not make a call fail. */

const MAX_CHARS = 100;

export function readSearchId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' && header.length <= MAX_CHARS ? header : undefined;
}
