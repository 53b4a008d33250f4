import { Button } from '@mantine/core';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { CardPage } from '../../parts/card-page';
import { OpenedInvitation } from './opened-invitation';

/** Removes the token of a one-time link, the part after the #, from the address bar and the history. */
export function JoinPage() {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const navigate = useNavigate();
  const [token, setToken] = useState<string>();
  useEffect(() => {
    if (!hash) return;
    setToken(hash);
    void navigate({ to: '/join', hash: '', replace: true });
  }, [hash, navigate]);
  if (token !== undefined) return <OpenedInvitation key={token} token={token} />;
  // Until the token has been read.
  if (hash) return null;
  return (
    <CardPage title="This link is incomplete" description="Copy the whole link and try again. It ends with # and a long text.">
      <Button fullWidth variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
        Sign in
      </Button>
    </CardPage>
  );
}
