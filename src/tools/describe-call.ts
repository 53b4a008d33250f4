/**
 * Describes a call to the person who approves it: the action, the payload and the price. The payload is JSON on one line, with escapes for the
 * characters that no screen shows.
 *
 * Shape:  a payload that is too long shows the beginning of each member, at every depth, and counts what it leaves out: `"abc"… 4990 more` are
 *         characters, `{"a":1,… 12 more}` are members. Short members stay whole; the others share the rest. An author cannot write such a note:
 *         it is outside of the quotes.
 * Units:  code points.
 */
import type { ActionInfo, ResolveResponse } from '../protocol/http';
import { printableJson } from '../protocol/invisible-text';
import { isObject } from '../protocol/json-object';

const MAX_CHARS = 3_000;
/** A member gets at least this room, or it is only counted. */
const MIN_MEMBER_CHARS = 48;
const NOTE_CHARS = 16;

export interface CallToDescribe {
  action: Pick<ActionInfo, 'action' | 'payment'>;
  payload: ResolveResponse['payload'];
}

/**
 * Such as `shop__buy {"thing":"hat"}, for 0.05 USD`.
 *
 * @param call what `tools.resolve()` returns
 * @param maxChars of the payload. Default: 3,000
 */
export function describeCall({ action: { action, payment }, payload }: CallToDescribe, maxChars = MAX_CHARS): string {
  const price = payment ? `, for ${payment.amount} ${payment.currency}` : '';
  return `${action} ${shorten(payload, maxChars)}${price}`;
}

interface Part {
  /** The length of the whole part, or `room` if that is less. */
  size: number;
  shorten(room: number): string;
}

function shorten(value: unknown, room: number): string {
  const whole = toJson(value);
  if (sizeWithin(whole, room + 1) <= room) return whole;
  if (typeof value === 'string') return beginningOf(value, room);
  if (Array.isArray(value)) return `[${shortenParts(value.map(itemPart(room)), room - 2)}]`;
  if (isObject(value)) return `{${shortenParts(Object.entries(value).map(memberPart(room)), room - 2)}}`;
  return whole;
}

function toJson(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

function itemPart(room: number) {
  return (item: unknown): Part => ({ size: sizeWithin(toJson(item), room), shorten: (share) => shorten(item, share) });
}

function memberPart(room: number) {
  return ([name, member]: [string, unknown]): Part => {
    const whole = `${toJson(name)}:${toJson(member)}`;
    const size = sizeWithin(whole, room);
    return {
      size,
      shorten(share) {
        if (size <= share) return whole;
        const shownName = shorten(name, Math.floor(share / 2));
        return `${shownName}:${shorten(member, share - sizeWithin(shownName, share) - 1)}`;
      },
    };
  };
}

function shortenParts(parts: readonly Part[], room: number): string {
  const needs = parts.map(({ size }) => Math.min(size, MIN_MEMBER_CHARS) + 1);
  const isEnough = needs.reduce((sum, need) => sum + need, 0) <= room;
  const most = isEnough ? room : room - NOTE_CHARS;
  let [count, used] = [0, 0];
  for (const need of needs) {
    used += need;
    if (used > most) break;
    count += 1;
  }
  const shown = parts.slice(0, count);
  const shares = shareOut(shown, most - count);
  const texts = shown.map((part, index) => part.shorten(shares[index] ?? 0));
  if (count < parts.length) texts.push(`… ${parts.length - count} more`);
  return texts.join(',');
}

/** The smallest parts get what they need, and what they leave goes to the others. */
function shareOut(parts: readonly Part[], room: number): number[] {
  const shares: number[] = [];
  const bySize = [...parts.entries()].sort(([, a], [, b]) => a.size - b.size);
  let left = room;
  for (const [done, [index, { size }]] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (parts.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function beginningOf(text: string, room: number): string {
  const characters = Array.from(text);
  let count = Math.max(room - NOTE_CHARS - 2, 1);
  for (;;) {
    const shown = toJson(characters.slice(0, count).join(''));
    const size = Array.from(shown).length;
    if (size <= room - NOTE_CHARS || count === 1) return `${shown}… ${characters.length - count} more`;
    // Escapes are longer than what they stand for.
    count = Math.max(Math.floor((count * (room - NOTE_CHARS)) / size), 1);
  }
}

/** The number of characters, or `most` if that is less. */
function sizeWithin(text: string, most: number): number {
  return Math.min(Array.from(text.slice(0, 2 * Math.max(most, 0))).length, most);
}
