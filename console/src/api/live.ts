/** Looks again at what changed, as the service tells it: `GET /v1/events`. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ADMIN_PATHS, type ChangeEvent } from '../../../src/protocol/admin';

/** First members of the query keys that show each kind of change. */
const SHOWN_IN: Record<ChangeEvent['changed'][number], readonly string[]> = {
  invocations: ['invocations', 'stats', 'reports'],
  toolkits: ['reports', 'stats'],
  keys: ['keys'],
  people: ['people', 'invitations'],
  settings: ['settings'],
  searches: ['searches'],
};

export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const events = new EventSource(ADMIN_PATHS.events);
    events.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const { changed } = JSON.parse(data) as ChangeEvent;
      const shown = new Set(changed.flatMap((what) => SHOWN_IN[what] ?? []));
      for (const name of [...shown, ...(changed.length > 0 ? ['audit'] : [])]) void queryClient.invalidateQueries({ queryKey: [name] });
    });
    return () => events.close();
  }, [queryClient]);
}
