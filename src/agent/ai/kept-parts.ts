/**
 * The parts of a model's message that chat completions cannot hold: reasoning, signatures, item ids. Most providers need these parts back
 * unchanged.
 *
 * Shape: the member `svc_ai` of a stored message, `{origin, parts}`: all parts in order. A part of a call holds only what `tool_calls`
 *        lacks; the n-th belongs to the n-th call. Absent if all parts are plain text or calls.
 */
import type { AssistantContent } from 'ai';
import type { Message } from '../chat/message';
import { objectMembers } from '../model/unchecked-json';

export type AssistantPart = Exclude<AssistantContent, string>[number];
export type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;

type KeptPart = Exclude<AssistantPart, CallPart> | Partial<CallPart>;

export interface KeptParts {
  /** The provider that made the parts. Other providers cannot use them, and some refuse them. */
  origin: string;
  parts: KeptPart[];
}

export function toKeptParts(content: readonly AssistantPart[], origin: string): KeptParts | undefined {
  // Files are dropped, since they would fill the store.
  const parts = content.filter(({ type }) => type !== 'file' && type !== 'reasoning-file').map(toKeptPart);
  const isPlain = parts.every((part) => (part.type === 'text' || isOwnCall(part)) && !part.providerOptions);
  return isPlain ? undefined : { origin, parts };
}

/** The parts of a stored message, if the same provider made the message. */
export function readKeptParts({ svc_ai: kept }: Message, calls: readonly CallPart[], origin: string): AssistantPart[] | undefined {
  const { origin: maker, parts } = objectMembers(kept) as Partial<KeptParts>;
  if (maker !== origin || !parts) return undefined;
  let next = 0;
  return parts.map((part) => (isOwnCall(part) ? { ...(calls[next++] as CallPart), ...part } : (part as AssistantPart)));
}

function toKeptPart(part: AssistantPart): KeptPart {
  if (!isOwnCall(part)) return part;
  const { type, providerOptions } = part;
  return { type, ...(providerOptions && { providerOptions }) };
}

/** True for a call that the agent runs. The provider runs all other calls, and their results are parts too. */
function isOwnCall(part: KeptPart): part is Partial<CallPart> & { type: 'tool-call' } {
  return part.type === 'tool-call' && part.providerExecuted !== true;
}
