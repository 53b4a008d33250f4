/** A warning to a signed-in person with an open one-time link: using it signs them out of their own account. */
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { signedInPersonQuery } from '../../api/me';

export function SignedInAlready() {
  const { data: person } = useQuery(signedInPersonQuery);
  if (!person) return null;
  return (
    <Alert color="yellow" variant="light" p="sm" role="status">
      You are signed in as {person.name} ({person.email}). This link is for another account: using it signs you out of yours.
    </Alert>
  );
}
