import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { request } from './request';

/** A signed-in browser, as the account library lists it. */
export interface Session {
  id: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  ipAddress?: string | null;
  userAgent?: string | null;
}

export const ownSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => {
    const [sessions, current] = await Promise.all([
      request<Session[]>(`${ADMIN_PATHS.auth}/list-sessions`, { signal }),
      request<{ session: Pick<Session, 'id'> } | null>(`${ADMIN_PATHS.auth}/get-session`, { signal }),
    ]);
    return { sessions, currentId: current?.session.id };
  },
});

export async function endSession({ id }: Session): Promise<void> {
  await request(`${ADMIN_PATHS.auth}/revoke-session`, { method: 'POST', body: { id } });
}

export async function endOtherSessions(): Promise<void> {
  await request(`${ADMIN_PATHS.auth}/revoke-other-sessions`, { method: 'POST', body: {} });
}

/** Also ends the other sessions. */
export async function changePassword(given: { currentPassword: string; newPassword: string }): Promise<void> {
  await request(`${ADMIN_PATHS.auth}/change-password`, { method: 'POST', body: given });
}
