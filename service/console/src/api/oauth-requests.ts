/** Requests of apps to act for the signed-in person: the query of `/oauth/authorize`, and the person's decision. */
import { queryOptions } from '@tanstack/react-query';
import type { AdminApi } from '../../../src/http/admin/admin-routes';
import { api } from './request';

type Answer = AdminApi['POST /v1/oauth/requests']['answer'];
/** The app has to mend its request. */
export type FaultyRequest = Extract<Answer, { problem: string }>;
/** An app that waits for the decision. */
export type WaitingApp = Exclude<Answer, FaultyRequest>;
export type ChosenLimits = NonNullable<AdminApi['POST /v1/oauth/decisions']['body']['limits']>;

/**
 * @param query as the app wrote it: without `?`, otherwise unchanged
 * @param personId who is asked: another person may have another key for the app
 */
export const oauthRequestQuery = (query: string, personId: string) =>
  queryOptions({
    queryKey: ['oauth-request', personId, query],
    queryFn: ({ signal }) => api('POST /v1/oauth/requests', { body: { query }, signal }),
    // The form on the page must not change while the person reads it.
    staleTime: Infinity,
    refetchOnReconnect: false,
  });

/** @param limits of an app without a key */
export const allowApp = (query: string, { key }: WaitingApp, limits: ChosenLimits) =>
  api('POST /v1/oauth/decisions', { body: { query, decision: 'allow', ...(key ? { key: key.id } : { key: null, limits }) } });

export const denyApp = (query: string) => api('POST /v1/oauth/decisions', { body: { query, decision: 'deny' } });
