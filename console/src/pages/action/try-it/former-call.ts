/** A call that is made again: what it was called with, and as which agent. */
import type { InvocationDetail } from '../../../../../src/protocol/admin';
import { readJson } from './read-json';

export interface FormerCall {
  keyId: string;
  payload: unknown;
  /** The values of some members were not kept. */
  isRedacted: boolean;
}

/** undefined where not all of the payload is kept. */
export function formerCallOf({ key, payload }: InvocationDetail): FormerCall | undefined {
  if (!('json' in payload) || payload.cut) return undefined;
  const read = readJson(payload.json);
  return 'problem' in read ? undefined : { keyId: key.id, payload: read.value, isRedacted: payload.json.includes('[redacted]') };
}
