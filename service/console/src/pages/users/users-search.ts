/** The filters, the order and the place in the list, in the address of the page: those of sessions that end users have too. */
import { type SessionsSearch, sessionsSearch } from '../sessions/sessions-search';

export type UsersSearch = Pick<SessionsSearch, 'text' | 'key' | 'from' | 'to' | 'sort' | 'order' | 'cursor'>;

export function usersSearch(given: Record<string, unknown>): UsersSearch {
  const { user: _, outcome: _outcome, inVain: _inVain, dearerThan: _dearerThan, ...search } = sessionsSearch(given);
  return search;
}
