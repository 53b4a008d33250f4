/** Apps that people connected by signing in at `/mcp`. Each has an agent key of its person, whose id is the app's. */
import { queryOptions } from '@tanstack/react-query';
import { api } from './request';

/** A member's own apps; for an owner those of everybody. The key has the prefix of keys, which are refreshed with every change of one. */
export const connectedAppsQuery = queryOptions({
  queryKey: ['keys', 'connected-apps'],
  queryFn: ({ signal }) => api('GET /v1/connected-apps', { signal }),
});

export const disconnectApp = (id: string) => api('DELETE /v1/connected-apps/{id}', { params: { id } });
