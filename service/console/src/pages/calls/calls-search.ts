import { CALL_FILTERS, type CallFilters } from '../../api/invocations';
import { addressFilters } from '../../parts/address-filters';

/** The filters of the list of calls, in its address. */
export interface CallsSearch extends CallFilters {
  id?: string;
}

const NAMES = [...CALL_FILTERS, 'id'] as const;

export function callsSearch(given: Record<string, unknown>): CallsSearch {
  return addressFilters(NAMES, given);
}
