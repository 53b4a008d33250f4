/** Reasons of errors, for messages to people. */
import { isObject } from '#sdk/protocol/json-object';

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message of undici is "fetch failed".
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message || codeOf(error.cause)}` : error.message;
}

/** Such as `ECONNREFUSED`; '' without a code. */
export function codeOf(error: Error): string {
  return isObject(error) && typeof error.code === 'string' ? error.code : '';
}
