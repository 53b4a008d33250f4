/** A call to repeat: its payload and its agent. */
import type { InvocationDetail } from '#sdk/protocol/admin';
import { readJson } from '../../../parts/read-json';

export interface FormerCall {
  keyId: string;
  payload: unknown;
  /** Some values were redacted. */
  isRedacted: boolean;
}

/** undefined if a part of the payload is not stored. */
export function formerCallOf({ key, payload }: InvocationDetail): FormerCall | undefined {
  if (!('json' in payload) || payload.cut) return undefined;
  const read = readJson(payload.json);
  return 'problem' in read ? undefined : { keyId: key.id, payload: read.value, isRedacted: payload.json.includes('[redacted]') };
}
