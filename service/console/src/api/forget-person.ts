/**
 * Removes all data of the person who was signed in from the cache.
 *
 * The sign-in page, which is open by then, keeps its own query: removing that one would abort its request.
 */
import type { QueryClient } from '@tanstack/react-query';
import { consoleQuery } from './me';

export function forgetPerson(queryClient: QueryClient): void {
  const [kept] = consoleQuery.queryKey;
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== kept });
}
