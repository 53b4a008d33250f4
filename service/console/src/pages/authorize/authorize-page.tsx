/** `/oauth/authorize`: a person allows an app to use the service for them, or denies it. Outside of the router, which would rewrite the query. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../../api/me';
import { CardPage } from '../../parts/card-page';
import { QueryView } from '../../parts/query-view';
import { SignInAgain } from '../../shell/sign-in-again';
import { AppRequest } from './app-request';
import { useSignInFirst } from './sign-in-first';

export function AuthorizePage() {
  // As the app wrote it: the service reads the same text.
  const [query] = useState(() => window.location.search.slice(1));
  // Another page of the browser may have changed the account: the page must name the one that the decision is of.
  const me = useQuery({ ...meQuery, staleTime: 0 });
  if (useSignInFirst(me.error)) return null;
  const person = me.data?.person;
  if (me.data && person)
    return (
      <>
        <SignInAgain person={person} />
        <AppRequest key={person.id} query={query} me={me.data} person={person} />
      </>
    );
  return (
    <CardPage title="Connect an app">
      <QueryView query={me}>{() => null}</QueryView>
    </CardPage>
  );
}
