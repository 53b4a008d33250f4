/**
 * The idempotency key of a call: a retry with the same key gets the first result and never causes a second run.
 *
 * Shape:  the caller's own key; else SHA-256 of tool call id, tool and arguments as 64 hexadecimal digits if the id is globally unique;
 *         else 128 random bits as 32 hexadecimal digits.
 */
import { sha256 } from '../protocol/sha256';
import { isGloballyUnique } from './globally-unique';
import { writeCanonicalJson } from './json';

export interface NamedCall {
  toolCallId?: string | undefined;
  tool: string;
  input: unknown;
}

export async function idempotencyKeyOf({ toolCallId, tool, input }: NamedCall): Promise<string> {
  if (toolCallId === undefined || !isGloballyUnique(toolCallId)) return freshIdempotencyKey();
  const call = JSON.stringify([toolCallId, tool, writeCanonicalJson(input)]);
  // Synchronous where possible: `crypto.subtle` wakes another thread, which takes longer than everything else here.
  const hash = sha256(call);
  if (hash !== undefined) return hash;
  // A browser has `crypto.subtle` in secure contexts only.
  if (crypto.subtle === undefined) return freshIdempotencyKey();
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(call))));
}

/** Not `crypto.randomUUID`, which a browser has in secure contexts only. */
export function freshIdempotencyKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
