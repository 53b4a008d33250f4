/**
 * The messages between two buses over NATS.
 *
 * Shape:  `<prefix>.to.<subject>` is the subject of messages, `<prefix>.inbox.<bus>.<token>` of answers to one bus. A message within NATS's
 *         size limit is its text alone. A larger text stays at its sender, which sends an empty message with the headers `Svc-From: <bus>`
 *         and `Svc-Large: <token> <bytes>`. The receiver reads the text in pieces from the sender's inbox at that token: the body of each
 *         request is an offset; the answer is the bytes from that offset, or empty when the text was dropped. So exactly one member of a
 *         queue group reads the text, at its own pace. A message that follows a large one on its subject soon has `Svc-From` too, and is
 *         delivered after it. A subscriber that has just stopped answers with status 503, as the server does for a subject without
 *         subscribers.
 */
import type { Msg } from '@nats-io/transport-node';
import { MAX_MESSAGE_CHARS } from './bus';

export const FROM = 'Svc-From';
export const LARGE = 'Svc-Large';
/** Reserved for `Svc-From` in a message near NATS's size limit. */
export const HEADER_BYTES = 64;
/** UTF-8 needs at most three bytes per UTF-16 code unit. */
const MAX_MESSAGE_BYTES = 3 * MAX_MESSAGE_CHARS;

export interface LargeMessage {
  from: string;
  token: string;
  bytes: number;
}

/** Undefined when the headers are invalid. */
export function readLarge(from: string, large: string): LargeMessage | undefined {
  const [, token, digits] = /^(\w+) (\d{1,9})$/.exec(large) ?? [];
  const bytes = Number(digits);
  if (!/^[\w-]+$/.test(from) || token === undefined || bytes === 0 || bytes > MAX_MESSAGE_BYTES) return undefined;
  return { from, token, bytes };
}

export function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503;
}
