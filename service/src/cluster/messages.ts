/** Messages between nodes: one line of JSON, optionally followed by a payload or result as text, which is not parsed. */
import type * as z from 'zod';
import { type ActivityAnswer, activityAnswer, type CallAnswer, callAnswer, type NodeMessage, nodeMessage } from './message-schemas';

export function encodeMessage(head: NodeMessage | CallAnswer | ActivityAnswer, body?: string): string {
  const line = JSON.stringify(head);
  return body === undefined ? line : `${line}\n${body}`;
}

/** @param receiver its own messages to all nodes come back to it: they are undefined too, and not checked, as most messages of a single node are these */
export function decodeMessage(text: string, receiver: string): { head: NodeMessage; body: string } | undefined {
  return decode(text, (head) => (isOwnNotice(head, receiver) ? undefined : valid(nodeMessage, head)));
}

export function decodeAnswer(text: string): { head: CallAnswer; body: string } | undefined {
  return decode(text, (head) => valid(callAnswer, head));
}

export function decodeActivity(text: string): ActivityAnswer | undefined {
  return decode(text, (head) => valid(activityAnswer, head))?.head;
}

/** JSON.stringify writes no line feeds, so the first line feed ends the head. */
function decode<T>(text: string, check: (head: unknown) => T | undefined): { head: T; body: string } | undefined {
  const end = text.indexOf('\n');
  try {
    const head = check(JSON.parse(end === -1 ? text : text.slice(0, end)));
    return head && { head, body: end === -1 ? '' : text.slice(end + 1) };
  } catch {
    return undefined;
  }
}

function valid<T>(schema: z.ZodType<T>, head: unknown): T | undefined {
  return schema.safeParse(head).data;
}

/** A call may be for a replica of its sender. */
function isOwnNotice(head: unknown, node: string): boolean {
  const { from, kind } = (head ?? {}) as { from?: unknown; kind?: unknown };
  return from === node && kind !== 'call';
}
