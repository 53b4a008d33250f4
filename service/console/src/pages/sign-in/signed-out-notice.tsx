/** The reason why the console showed the sign-in page. */
import { Alert } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';

export function SignedOutNotice() {
  const signedOut = useLocation({ select: ({ state }) => state.signedOut });
  if (!signedOut) return null;
  return (
    <Alert color={signedOut === 'by choice' ? 'gray' : 'yellow'} variant="light" p="sm" mb="md" role="status">
      {signedOut === 'by choice'
        ? 'You signed out.'
        : 'You were signed out because your session ended: it expired, was ended from another window, or your role or password changed. Sign in to continue where you were.'}
    </Alert>
  );
}
