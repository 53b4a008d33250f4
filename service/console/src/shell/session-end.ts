/** When the session has ended, shows the sign-in page, and returns to the same page afterwards. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetPerson } from '../api/forget-person';
import { ApiError } from '../api/request';

export function useSessionEnd(): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const leaveOn = (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'NOT_SIGNED_IN') return;
      const { pathname, href } = router.latestLocation;
      // Several requests may fail at once: the first one shows the sign-in page.
      if (pathname === '/sign-in') return;
      void router
        .navigate({ to: '/sign-in', search: { from: href }, replace: true, ignoreBlocker: true, state: { signedOut: 'session ended' } })
        .then(() => forgetPerson(queryClient));
    };
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') leaveOn(event.action.error);
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') leaveOn(event.action.error);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queryClient, router]);
}
