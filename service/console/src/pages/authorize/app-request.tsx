/** The request of an app, as the service has checked it. */

import { useQuery } from '@tanstack/react-query';
import { oauthRequestQuery } from '../../api/oauth-requests';
import { ApiError } from '../../api/request';
import { CardPage } from '../../parts/card-page';
import { QueryView } from '../../parts/query-view';
import { ConsentForm, type ConsentFormProps } from './consent-form';
import { FaultyRequestPage } from './faulty-request-page';
import { RefusedApp } from './refused-app';
import { useSignInFirst } from './sign-in-first';

export function AppRequest(props: Omit<ConsentFormProps, 'app'>) {
  const request = useQuery(oauthRequestQuery(props.query, props.person.id));
  if (useSignInFirst(request.error)) return null;
  if (request.error instanceof ApiError && request.error.problem?.retryable === false) return <RefusedApp error={request.error} />;
  if (!request.data)
    return (
      <CardPage title="Connect an app">
        <QueryView query={request} failed="Could not check the request">
          {() => null}
        </QueryView>
      </CardPage>
    );
  if ('problem' in request.data) return <FaultyRequestPage request={request.data} />;
  return <ConsentForm {...props} app={request.data} />;
}
