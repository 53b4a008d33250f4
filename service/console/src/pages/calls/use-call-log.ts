/** The log of calls with these filters, kept up to date. */
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import type { InvocationInfo, InvocationsPage } from '#sdk/protocol/admin';
import { type CallFilters, callQuery, fetchCalls, newestCallsQuery } from '../../api/invocations';
import { type CallLog, logOf, withNewest, withOlder, withOutcomes, withUnseen } from './call-log';

/** Cached for some minutes, like answers. */
const LOG = 'call-log';
const PAGE = 100;
/** Refresh of running calls below the newest page: how many, and how often. */
const WATCHED = 10;
const WATCH_MS = 5_000;

type Event =
  | { newest: InvocationsPage; follow: boolean }
  | { show: InvocationsPage }
  | { older: InvocationsPage }
  | { looked: readonly InvocationInfo[] };

function reduce(log: CallLog | undefined, event: Event): CallLog | undefined {
  if ('newest' in event) return log ? withNewest(log, event.newest, event.follow) : logOf(event.newest);
  if (!log) return log;
  if ('show' in event) return withUnseen(log, event.show);
  if ('older' in event) return withOlder(log, event.older);
  return withOutcomes(log, event.looked);
}

/** @param follow show new calls immediately, not on request */
export function useCallLog(filters: CallFilters, follow: boolean) {
  const queryClient = useQueryClient();
  const place = [LOG, filters];
  // A person who returns from a call sees the loaded rows and the same scroll position.
  const [log, dispatch] = useReducer(reduce, undefined, () => queryClient.getQueryData<CallLog>(place));
  useEffect(() => {
    if (log) queryClient.setQueryData(place, log);
  });
  const newest = useQuery(newestCallsQuery(filters, PAGE));
  const page = newest.data;
  useEffect(() => {
    if (page) dispatch({ newest: page, follow });
  }, [page, follow]);

  const older = useMutation({
    mutationFn: (cursor: string) => fetchCalls(filters, { limit: PAGE, cursor }),
    onSuccess: (page) => dispatch({ older: page }),
  });

  const inPage = new Set(page?.invocations.map(({ id }) => id));
  const running = log?.shown.filter(({ id, code }) => code === undefined && !inPage.has(id)).slice(0, WATCHED) ?? [];
  const looked = useQueries({
    queries: running.map(({ id }) => ({ ...callQuery(id), refetchInterval: WATCH_MS })),
    combine: (answers) => answers.flatMap(({ data }) => (data?.code === undefined ? [] : [data])),
  });
  useEffect(() => {
    if (looked.length > 0) dispatch({ looked });
  }, [looked]);

  return {
    log,
    error: newest.error,
    retry: () => void newest.refetch(),
    showUnseen: () => page && dispatch({ show: page }),
    older,
  };
}
