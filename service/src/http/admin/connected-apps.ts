/** `/v1/connected-apps`: a person's own; an owner and an admin key see and end those of everybody. docs/protocol.md section 10. */
import { connectedAppsPage } from '#sdk/protocol/connected-app-schemas';
import { keyFacts } from '../../audit/key-facts';
import { toKeyInfo } from '../../keys/key-info';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf } from './authorize';

export const connectedAppRoutes = [
  defineRoute({
    id: 'listConnectedApps',
    summary: 'List connected apps',
    method: 'GET',
    path: '/v1/connected-apps',
    access: 'person',
    answer: connectedAppsPage,
    async handle({ principal }, { openOAuth, store }: AdminRouteDeps) {
      const { apps } = await openOAuth();
      const found = await apps.list(principal.role === 'owner' ? undefined : principal.id);
      const names = new Map((await store.accounts.list()).map(({ id, name }) => [id, name]));
      return {
        apps: found.map(({ app, ownerId }) => {
          const name = names.get(ownerId ?? '');
          return { ...app, ...(ownerId !== null && name !== undefined && { owner: { id: ownerId, name } }) };
        }),
      };
    },
  }),
  defineRoute({
    id: 'disconnectApp',
    summary: 'Disconnect an app',
    method: 'DELETE',
    path: '/v1/connected-apps/{id}',
    access: 'person',
    async handle({ principal, params }, { openOAuth, audit, records }: AdminRouteDeps) {
      const { apps } = await openOAuth();
      const key = await apps.disconnect(params.id, principal.role === 'owner' ? undefined : principal.id);
      // A second disconnection changes nothing.
      if (key.revokedAt !== null) return;
      await audit.write(actorOf(principal), 'app.disconnect', key.id, keyFacts(toKeyInfo(key)));
      records.changed('keys');
    },
  }),
] as const;
