/**
 * The messages between two buses through NATS.
 *
 * Shape:  `<prefix>.to.<subject>` carries messages, `<prefix>.inbox.<bus>.<token>` answers to one bus. A message that fits into one of
 *         NATS is its text and nothing else. A larger one stays with its sender, which sends an empty message with the headers `Svc-From: <bus>`
 *         and `Svc-Large: <token> <bytes>`, and its receiver reads the text, piece by piece, from the sender's inbox at that token: a request
 *         whose body is an offset is answered with the bytes from there, or with nothing when they are gone. So a queue group has one reader, who
 *         reads at its own pace. A message to a subject soon after such a message has `Svc-From` too, and waits for its turn.
 *         A subscriber that has just stopped answers with status 503, as the server does when there is none.
 */
import type { Msg } from '@nats-io/transport-node';
import { MAX_MESSAGE_CHARS } from './bus';

export const FROM = 'Svc-From';
export const LARGE = 'Svc-Large';
/** Room for `Svc-From` in a message that nearly fills one of NATS. */
export const HEADER_BYTES = 64;
/** A character has at most three bytes per unit of UTF-16. */
const MAX_MESSAGE_BYTES = 3 * MAX_MESSAGE_CHARS;

export interface LargeMessage {
  from: string;
  token: string;
  bytes: number;
}

/** Undefined when the headers do not say what they should. */
export function readLarge(from: string, large: string): LargeMessage | undefined {
  const [, token, digits] = /^(\w+) (\d{1,9})$/.exec(large) ?? [];
  const bytes = Number(digits);
  if (!/^[\w-]+$/.test(from) || token === undefined || bytes === 0 || bytes > MAX_MESSAGE_BYTES) return undefined;
  return { from, token, bytes };
}

export function saysNobody(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503;
}
