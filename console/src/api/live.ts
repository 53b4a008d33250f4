/** Looks again at what changed, as the service tells it, and after a time without the service at everything. */
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChangeEvent } from '../../../src/protocol/admin';
import { followChanges } from './change-stream';
import { type Paced, paced } from './paced';
import { ApiError } from './request';

type Change = ChangeEvent['changed'][number];

/** First members of the query keys that show each kind of change. */
const SHOWN_IN: Record<Change, readonly string[]> = {
  invocations: ['invocations'],
  counts: [],
  toolkits: ['reports'],
  keys: ['keys', 'audit'],
  people: ['people', 'invitations', 'audit'],
  settings: ['settings', 'audit'],
  searches: ['searches'],
};

/** What is counted over hours and days, and need not follow each call. */
const COUNTED_IN: Partial<Record<Change, readonly string[]>> = {
  invocations: ['now'],
  counts: ['stats', 'reports'],
  toolkits: ['now'],
};
const COUNTED_MS = 5_000;

/** True while the service does not answer. */
export function useLiveUpdates(): boolean {
  const queryClient = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    const shown = lookAgain(queryClient, 0);
    const counted = lookAgain(queryClient, COUNTED_MS);
    const stop = followChanges({
      onChange(changed) {
        for (const what of changed) {
          for (const name of SHOWN_IN[what] ?? []) shown.at(name);
          for (const name of COUNTED_IN[what] ?? []) counted.at(name);
        }
      },
      onBack() {
        setLost(false);
        void queryClient.invalidateQueries({}, { cancelRefetch: false });
      },
      onLost() {
        setLost(true);
        // It may have refused because nobody is signed in any more.
        void queryClient.invalidateQueries({ queryKey: ['me'] }, { cancelRefetch: false });
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

function lookAgain(queryClient: QueryClient, everyMs: number) {
  const looks = new Map<string, Paced>();
  const lookAt = (name: string): Paced => {
    const look = paced(async () => {
      // An answer under way may be older than the change: it is waited for, not cancelled, and then asked for once more.
      if (queryClient.isFetching({ queryKey: [name] }) > 0) look.ask();
      // What is not there stays so: a page of it must not ask with every change.
      const predicate = ({ state }: Query) => !(state.error instanceof ApiError && state.error.status === 404);
      await queryClient.invalidateQueries({ queryKey: [name], predicate }, { cancelRefetch: false });
    }, everyMs);
    looks.set(name, look);
    return look;
  };
  return {
    at: (name: string) => (looks.get(name) ?? lookAt(name)).ask(),
    stop: () => {
      for (const look of looks.values()) look.stop();
    },
  };
}
