/** The filters, the order and the place in the list, in the address of the page. */
import { ACTIVITY_SORTS, type ActivitySort } from '#sdk/protocol/admin';
import { AMOUNT } from '#sdk/protocol/amount';
import { isSpan } from '../../api/spans';

export type SessionOutcome = 'ok' | 'error' | 'endedInError';

export const SESSION_OUTCOMES: readonly { value: SessionOutcome; label: string }[] = [
  { value: 'ok', label: 'No call failed' },
  { value: 'error', label: 'A call failed' },
  { value: 'endedInError', label: 'Ended with an error' },
];

export interface SessionsSearch {
  text?: string;
  key?: string;
  user?: string;
  outcome?: SessionOutcome;
  inVain?: true;
  /** An amount. */
  dearerThan?: string;
  /** A span, or a time. */
  from?: string;
  to?: string;
  sort?: ActivitySort;
  order?: 'asc' | 'desc';
  cursor?: string;
}

export function sessionsSearch(given: Record<string, unknown>): SessionsSearch {
  const { outcome, inVain, sort, order } = given;
  // The router reads `?user=4711` as a number.
  const text = (name: string, isValid: (value: string) => boolean = () => true) => {
    const value = typeof given[name] === 'number' ? String(given[name]) : given[name];
    return typeof value === 'string' && value !== '' && isValid(value) ? { [name]: value } : {};
  };
  const isTime = (value: string) => isSpan(value) || !Number.isNaN(Date.parse(value));
  return {
    ...text('text'),
    ...text('key'),
    ...text('user'),
    ...text('dearerThan', (value) => AMOUNT.test(value)),
    ...text('from', isTime),
    ...text('to', isTime),
    ...text('cursor'),
    ...(SESSION_OUTCOMES.some(({ value }) => value === outcome) && { outcome: outcome as SessionOutcome }),
    ...(inVain === true && { inVain }),
    ...(ACTIVITY_SORTS.some((known) => known === sort) && { sort: sort as ActivitySort }),
    ...((order === 'asc' || order === 'desc') && { order }),
  };
}
