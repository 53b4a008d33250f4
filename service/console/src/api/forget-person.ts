/**
 * Removes all data of the former person from the cache.
 *
 * Keeps the query of the sign-in page, which is open by then: removing it would abort its request.
 */
import type { QueryClient } from '@tanstack/react-query';
import { consoleQuery } from './me';

export function forgetPerson(queryClient: QueryClient): void {
  const [kept] = consoleQuery.queryKey;
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== kept });
}
