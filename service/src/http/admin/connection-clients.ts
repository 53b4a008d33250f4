/** `/v1/connection-clients`: the OAuth client of a toolkit at its provider, for people of the toolkit. No answer has the secret. */
import { SvcError } from '#sdk/protocol/errors';
import { connectionClient, setConnectionClientRequest } from '#sdk/protocol/kept-connection-schemas';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import type { Principal } from '../../accounts/principal';
import type { ConnectedToolkit } from '../../connections/call-connections';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { actorOf } from './authorize';
import { requireConnectedToolkit } from './require-toolkit';
import { requireSeen, seesToolkit, visibleTo } from './visibility';

export const connectionClientRoutes = [
  defineRoute({
    id: 'getConnectionClient',
    summary: 'The OAuth client of a toolkit',
    method: 'GET',
    path: '/v1/connection-clients/{id}',
    access: 'person',
    answer: connectionClient,
    async handle({ principal, params }, deps: AppDeps) {
      const toolkit = await requireOwnToolkit(params.id, principal, deps);
      const { clients } = await deps.openConnections();
      return clients.get(toolkit);
    },
  }),
  defineRoute({
    id: 'setConnectionClient',
    summary: 'Set the OAuth client of a toolkit',
    method: 'PUT',
    path: '/v1/connection-clients/{id}',
    access: 'person',
    body: setConnectionClientRequest,
    answer: connectionClient,
    async handle({ principal, params, body }, deps: AppDeps) {
      const toolkit = await requireOwnToolkit(params.id, principal, deps);
      requireFreshSignIn(principal);
      const { clients } = await deps.openConnections();
      await clients.set(toolkit, body);
      const { clientId, authMethod } = body;
      await deps.audit.write(actorOf(principal), 'connection.client', toolkit.id, { clientId, ...(authMethod && { authMethod }) });
      deps.admin?.records.changed('connections');
      return clients.get(toolkit);
    },
  }),
  defineRoute({
    id: 'removeConnectionClient',
    summary: 'Remove the OAuth client of a toolkit',
    method: 'DELETE',
    path: '/v1/connection-clients/{id}',
    access: 'person',
    async handle({ principal, params }, deps: AppDeps) {
      const toolkit = await requireOwnToolkit(params.id, principal, deps);
      const { clients } = await deps.openConnections();
      await clients.remove(toolkit.id);
      await deps.audit.write(actorOf(principal), 'connection.client', toolkit.id, { clientId: null });
      deps.admin?.records.changed('connections');
    },
  }),
] as const;

async function requireOwnToolkit(
  id: string,
  principal: Principal,
  { keys, catalog }: Pick<AppDeps, 'keys' | 'catalog'>,
): Promise<ConnectedToolkit> {
  requireSeen(seesToolkit(await visibleTo(principal, keys), id), 'toolkit', id);
  const toolkit = requireConnectedToolkit(id, catalog);
  const { type, from } = toolkit.auth;
  if (type === 'oauth2' && from !== 'caller') return toolkit;
  throw new SvcError('INVALID_REQUEST', `Toolkit "${id}" has no OAuth client: it asks for ${type} from ${from}`);
}
