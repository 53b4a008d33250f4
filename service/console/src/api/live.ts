/** Refreshes the queries that the service reports as changed, and all queries after a lost connection. */
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChangeEvent } from '#sdk/protocol/admin';
import { AGENT_SESSIONS, goesOn } from './agent-session';
import { followChanges } from './change-stream';
import { meQuery } from './me';
import { ApiError } from './request';
import { type Throttled, throttle } from './throttle';

type Change = ChangeEvent['changed'][number];

/** Prefixes of the query keys that show each kind of change. */
const SHOWN_IN: Record<Change, readonly string[]> = {
  invocations: ['invocations', AGENT_SESSIONS],
  counts: [],
  toolkits: ['reports'],
  keys: ['keys', 'audit'],
  people: ['people', 'invitations', 'audit'],
  settings: ['settings', 'audit'],
  searches: ['searches', AGENT_SESSIONS],
  connections: ['connections', 'audit'],
  approvals: ['approvals', 'audit'],
  alerts: ['alerts', 'audit'],
};

/** Counts over hours and days, which are not refreshed with each call. */
const COUNTED_IN: Partial<Record<Change, readonly string[]>> = {
  invocations: ['now', 'spending'],
  counts: ['stats', 'reports'],
  toolkits: ['now'],
};
const COUNTED_MS = 5_000;

/** True while the service does not answer. */
export function useLiveUpdates(): boolean {
  const queryClient = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    const shown = throttledRefresh(queryClient, 0);
    const counted = throttledRefresh(queryClient, COUNTED_MS);
    const stop = followChanges({
      onChange(changed) {
        for (const what of changed) {
          for (const name of SHOWN_IN[what] ?? []) shown.request(name);
          for (const name of COUNTED_IN[what] ?? []) counted.request(name);
        }
      },
      onBack() {
        setLost(false);
        void queryClient.invalidateQueries({}, { cancelRefetch: false });
      },
      async onLost() {
        // A refusal may mean that the session has ended, here or in another tab.
        setLost(!(await isAnswering(queryClient)));
      },
    });
    return () => {
      stop();
      shown.stop();
      counted.stop();
    };
  }, [queryClient]);
  return isLost;
}

/** Whether the service answers at all, be it with a refusal. */
function isAnswering(queryClient: QueryClient): Promise<boolean> {
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(
    () => true,
    (error: unknown) => error instanceof ApiError && error.code !== 'UNREACHABLE',
  );
}

function throttledRefresh(queryClient: QueryClient, everyMs: number) {
  const refreshes = new Map<string, Throttled>();
  const create = (name: string): Throttled => {
    const refresh = throttle(async () => {
      // A pending answer may be older than the change: wait for it, then query once more.
      if (queryClient.isFetching({ queryKey: [name] }) > 0) refresh.request();
      // A missing item stays missing: its page must not repeat the query with every change.
      const predicate = ({ queryKey, state }: Query) =>
        !(state.error instanceof ApiError && state.error.status === 404) && (queryKey[0] !== AGENT_SESSIONS || goesOn(state.data));
      await queryClient.invalidateQueries({ queryKey: [name], predicate }, { cancelRefetch: false });
    }, everyMs);
    refreshes.set(name, refresh);
    return refresh;
  };
  return {
    request: (name: string) => (refreshes.get(name) ?? create(name)).request(),
    stop: () => {
      for (const refresh of refreshes.values()) refresh.stop();
    },
  };
}
