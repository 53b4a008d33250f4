/**
 * The `Prefer` header of a call (RFC 7240): `wait=<seconds>` and `respond-async`.
 *
 * `wait`:                so long the caller waits for a person's decision; without it, the service answers APPROVAL_REQUIRED at once.
 * `respond-async`:       the service answers 202 with a handle, and the call goes on. A question to a person is answered at once, as it is a handle too.
 * `respond-async, wait`: the same after that time, and only for an action that is declared `long`.
 */
export interface Prefer {
  respondAsync: boolean;
  /** Milliseconds. */
  waitMs?: number;
}

/** Seconds, above which the service takes this. */
const MAX_WAIT_SECONDS = 600;

export function writePrefer({ respondAsync, waitMs }: Prefer): string {
  const wait = waitMs === undefined ? [] : [`wait=${Math.ceil(waitMs / 1_000)}`];
  return [...(respondAsync ? ['respond-async'] : []), ...wait].join(', ');
}

/** Ignores preferences that it does not know, as RFC 7240 section 2 asks. */
export function readPrefer(header: string | undefined): Prefer | undefined {
  if (header === undefined) return undefined;
  const parts = header.split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = parts.map((part) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(part)?.[1]).find((seconds) => seconds !== undefined);
  const respondAsync = parts.includes('respond-async');
  if (!respondAsync && wait === undefined) return undefined;
  return { respondAsync, ...(wait !== undefined && { waitMs: Math.min(Number(wait), MAX_WAIT_SECONDS) * 1_000 }) };
}
