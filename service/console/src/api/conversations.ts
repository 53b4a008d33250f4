/** Sums of the sessions of agents and of their end users. The requests of one session are in `agent-session.ts`. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AdminApi } from '../../../src/http/admin/admin-routes';
import { api } from './request';

type Asked = AdminApi['GET /v1/sessions']['query'];

export type SessionsAsked = { [Name in keyof Asked]?: Asked[Name] | undefined };

/** A page of sessions. It follows the service, as the first part of its key is that of each session. */
export const conversationsQuery = (asked: SessionsAsked) =>
  queryOptions({
    queryKey: ['agent-sessions', 'list', asked],
    queryFn: ({ signal }) => api('GET /v1/sessions', { query: { ...asked }, signal }),
    placeholderData: keepPreviousData,
  });

type UsersAsked = AdminApi['GET /v1/users']['query'];

export const usersQuery = (asked: { [Name in keyof UsersAsked]?: UsersAsked[Name] | undefined }) =>
  queryOptions({
    queryKey: ['agent-sessions', 'users', asked],
    queryFn: ({ signal }) => api('GET /v1/users', { query: { ...asked }, signal }),
    placeholderData: keepPreviousData,
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent-sessions', 'user', id],
    queryFn: ({ signal }) => api('GET /v1/users/{id}', { params: { id }, signal }),
  });
