import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { acceptInvitation } from '../../api/invitations';

/** Accepts the invitation, which signs in, and opens a page. */
export function useAccept(to: '/' | '/start') {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: acceptInvitation,
    onSuccess: () => {
      queryClient.clear();
      void navigate({ to });
    },
  });
}
