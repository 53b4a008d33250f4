import { CALL_FILTERS, type CallFilters } from '../../api/invocations';
import { isSpan } from '../../api/spans';

/** The filters of the list of calls, in its address. */
export interface CallsSearch extends CallFilters {
  id?: string;
}

const NAMES = [...CALL_FILTERS, 'id'] as const;

export function callsSearch(given: Record<string, unknown>): CallsSearch {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      // The router reads `?user=4711` as a number. A larger one has lost digits.
      const value = Number.isSafeInteger(given[name]) ? String(given[name]) : given[name];
      if (typeof value !== 'string' || value === '') return [];
      // A person may have typed the address: "yesterday" is not a time.
      const isNoTime = (name === 'from' || name === 'to') && !isSpan(value) && Number.isNaN(Date.parse(value));
      return isNoTime ? [] : [[name, value]];
    }),
  );
}
