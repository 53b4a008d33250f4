/**
 * The cursor of a list of sums: the values of the last row's order, so that the next page begins behind it.
 *
 * Shape:  base64url of a JSON list of texts, the first of which is a whole number.
 * Errors: INVALID_REQUEST for a cursor that this service did not make.
 */
import type { ActivitySort } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { Activity, UsedTokens } from '../../store/session-store';

export function nextPlace(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

export function readPlace(cursor: string | undefined, length: number): string[] | undefined {
  if (cursor === undefined) return undefined;
  const values = parse(cursor);
  if (Array.isArray(values) && values.length === length && values.every(isStorableText) && /^-?\d{1,18}$/.test(values[0] ?? ''))
    return values;
  throw new SvcError('INVALID_REQUEST', 'cursor must be the nextCursor of the page before');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

export function sortValue({ tokens, ...activity }: Activity & { tokens: UsedTokens }, sort: ActivitySort): string {
  switch (sort) {
    case 'lastActivity':
      return String(activity.lastAt);
    case 'duration':
      return String(activity.lastAt - activity.firstAt);
    case 'tokens':
      return String(tokens.input + tokens.output);
    default:
      return String(activity[sort]);
  }
}
