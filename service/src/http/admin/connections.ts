/** `/v1/kept-connections`: accounts that the service keeps. Served while the console is off too. docs/protocol.md section 10. */
import {
  changeKeptConnectionRequest,
  endedConnection,
  keptConnectionsPage,
  listKeptConnectionsQuery,
} from '#sdk/protocol/kept-connection-schemas';
import { connectionFacts } from '../../audit/connection-facts';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { actorOf } from './authorize';
import { connectionViewer, describeConnections, requireConnection } from './connection-rights';
import { requireSeen } from './visibility';

export const connectionRoutes = [
  defineRoute({
    id: 'listKeptConnections',
    summary: 'List the accounts that the service keeps',
    method: 'GET',
    path: '/v1/kept-connections',
    access: 'person',
    query: listKeptConnectionsQuery,
    answer: keptConnectionsPage,
    async handle({ principal, query: { toolkit, mine, limit, cursor } }, deps: AppDeps) {
      if (mine && principal.kind !== 'person') return { connections: [] };
      const viewer = await connectionViewer(principal, deps.keys);
      const found = await deps.store.connections.list({
        toolkitIds: toolkit === undefined ? undefined : [toolkit],
        owner: mine && `person:${principal.id}`,
        viewer,
        before: cursor,
        limit: limit + 1,
      });
      const connections = await describeConnections(found.slice(0, limit), principal, deps);
      const last = connections.at(-1);
      return { connections, ...(found.length > limit && last && { nextCursor: last.id }) };
    },
  }),
  defineRoute({
    id: 'changeKeptConnection',
    summary: 'Make an account the default one',
    method: 'PATCH',
    path: '/v1/kept-connections/{id}',
    access: 'person',
    body: changeKeptConnectionRequest,
    async handle({ principal, params }, deps: AppDeps) {
      const record = await requireConnection(params.id, principal, deps);
      await deps.store.connections.setDefault(record.id);
      await deps.audit.write(actorOf(principal), 'connection.default', record.toolkitId, connectionFacts(record));
      deps.admin?.records.changed('connections');
    },
  }),
  defineRoute({
    id: 'endKeptConnection',
    summary: 'Disconnect an account',
    method: 'DELETE',
    path: '/v1/kept-connections/{id}',
    access: 'person',
    answer: endedConnection,
    async handle({ principal, params }, deps: AppDeps) {
      const record = await requireConnection(params.id, principal, deps);
      const { revocation } = await deps.openConnections();
      const provider = await revocation.remove(record.id);
      requireSeen(provider !== undefined, 'connection', record.id);
      await deps.audit.write(actorOf(principal), 'connection.end', record.toolkitId, { ...connectionFacts(record), provider });
      deps.admin?.records.changed('connections');
      return { provider };
    },
  }),
] as const;
