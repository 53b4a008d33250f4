/** Accounts at the APIs behind toolkits: those that the service keeps, and the OAuth clients of toolkits. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ConnectionInfo, ConnectLinkRequest, SetConnectionClientRequest } from '#sdk/protocol/admin';
import { api } from './request';

const SHOWN = 50;

/** @param of the accounts of a toolkit; without one the person's own of all toolkits */
export const connectionsQuery = ({ toolkit }: { toolkit?: string } = {}) =>
  infiniteQueryOptions({
    queryKey: ['connections', 'kept', toolkit ?? 'mine'],
    queryFn: ({ pageParam, signal }) =>
      api('GET /v1/kept-connections', {
        query: { ...(toolkit === undefined ? { mine: 'true' } : { toolkit }), cursor: pageParam, limit: SHOWN },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Reveals no secret, only whether there is one. */
export const connectionClientQuery = (toolkit: string) =>
  queryOptions({
    queryKey: ['connections', 'client', toolkit],
    queryFn: ({ signal }) => api('GET /v1/connection-clients/{id}', { params: { id: toolkit }, signal }),
  });

export const setConnectionClient = (toolkit: string, client: SetConnectionClientRequest) =>
  api('PUT /v1/connection-clients/{id}', { params: { id: toolkit }, body: client });

export const removeConnectionClient = (toolkit: string) => api('DELETE /v1/connection-clients/{id}', { params: { id: toolkit } });

/** The address of a page that connects one account, once. */
export const makeConnectLink = (asked: ConnectLinkRequest) => api('POST /v1/kept-connections/links', { body: asked });

export const endConnection = ({ id }: Pick<ConnectionInfo, 'id'>) => api('DELETE /v1/kept-connections/{id}', { params: { id } });

export const makeDefaultConnection = ({ id }: Pick<ConnectionInfo, 'id'>) =>
  api('PATCH /v1/kept-connections/{id}', { params: { id }, body: { default: true } });

/** Toolkits for which a person can connect an own account. */
export const personalToolkitsQuery = queryOptions({
  queryKey: ['reports', 'personal-toolkits'],
  queryFn: async ({ signal }) =>
    (await api('GET /v1/reports/toolkits', { query: { auth: 'user', sort: 'name', limit: 200 }, signal })).toolkits,
});
