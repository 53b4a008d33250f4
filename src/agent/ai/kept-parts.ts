/**
 * The parts of a model's message that chat completions have no place for: reasoning, signatures, item ids. Most providers need them back unchanged.
 *
 * Shape: the member `svc_ai` of a stored message, `{origin, parts}`: all parts in their order. Of a call there is what `tool_calls` does not have;
 *        the n-th belongs to the n-th call. Absent if no part has more than text or a call.
 */
import type { AssistantContent } from 'ai';
import type { Message } from '../chat/message';
import { objectMembers } from '../model/unchecked-json';

export type AssistantPart = Exclude<AssistantContent, string>[number];
export type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;

type KeptPart = Exclude<AssistantPart, CallPart> | Partial<CallPart>;

export interface KeptParts {
  /** The provider that made them: to others they mean nothing, and some refuse them. */
  origin: string;
  parts: KeptPart[];
}

export function toKeptParts(content: readonly AssistantPart[], origin: string): KeptParts | undefined {
  // Files are left out: they would fill the store.
  const parts = content.filter(({ type }) => type !== 'file' && type !== 'reasoning-file').map(toKeptPart);
  const isPlain = parts.every((part) => (part.type === 'text' || isOwnCall(part)) && !part.providerOptions);
  return isPlain ? undefined : { origin, parts };
}

/** The parts of a stored message, if the same provider made it. */
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

/** A call for the agent. The provider itself runs the others, and their results are parts too. */
function isOwnCall(part: KeptPart): part is Partial<CallPart> & { type: 'tool-call' } {
  return part.type === 'tool-call' && part.providerExecuted !== true;
}
