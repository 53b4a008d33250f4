import type { KeyInfo } from '#sdk/protocol/http';

/** The facts of a key for the audit. Member by member: an answer that holds the key itself is a `KeyInfo` too. */
export function keyFacts({ kind, name, toolkit, allow, callsPerMinute, budget, rules, code, expiresAt }: KeyInfo): Record<string, unknown> {
  return {
    kind,
    name,
    ...(toolkit !== undefined && { toolkit }),
    ...(allow && { allow }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(budget && { budget }),
    ...(rules && { rules }),
    ...(code && { code }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
