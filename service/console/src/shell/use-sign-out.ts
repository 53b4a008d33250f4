/** Ends the session and opens the sign-in page. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetPerson } from '../api/forget-person';
import { signOut } from '../api/sign-in';
import { showFailure } from '../parts/show-failure';

export function useSignOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate({ to: '/sign-in', ignoreBlocker: true, state: { signedOut: 'by choice' } });
      forgetPerson(queryClient);
    },
    onError: (error) => showFailure('Could not sign out', error),
  });
}
