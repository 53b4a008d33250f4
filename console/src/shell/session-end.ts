/** A session that ended elsewhere, such as in another tab: once the service says so, the way to the sign-in page and back. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/request';

export function useSessionEnd(): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (!(error instanceof ApiError) || error.code !== 'NOT_SIGNED_IN') return;
        void router.navigate({ to: '/sign-in', search: { from: router.state.location.href } }).then(() => queryClient.clear());
      }),
    [queryClient, router],
  );
}
