/** `/v1/connections`: an app connects the accounts of its users. For agent keys; a page has a token, and must not name users. docs/protocol.md section 11. */
import {
  appConnections,
  changeAppConnection,
  confirmedConnection,
  connectionConfirmation,
  connectSession,
  listConnectionsQuery,
  newConnectSession,
  ofUserQuery,
} from '#sdk/protocol/connection-app-schemas';
import { DEFAULT_CONNECTION } from '#sdk/protocol/connections';
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { connectionFacts } from '../audit/connection-facts';
import { isConnected } from '../connections/call-connections';
import { SESSION_MS } from '../connections/connect/connect-links';
import { userOwner } from '../connections/owner';
import { toTime } from '../lib/to-time';
import type { ConnectionRecord } from '../store/connection-store';
import type { KeyRecord } from '../store/store';
import type { AppDeps } from './app-deps';
import { requireVisibleToolkit } from './catalog-routes';
import { defineRoute } from './define-route';

/** More accounts than a user has. */
const MAX_LISTED = 1_000;

export const connectionAppRoutes = [
  defineRoute({
    id: 'createConnectSession',
    summary: 'Create a link to the connect page for a user of the app; needs an agent key, not a token',
    method: 'POST',
    path: PATHS.connectionSessions,
    access: 'agent key',
    body: newConnectSession,
    answer: connectSession,
    async handle({ context, key, body: { userId, toolkits, name = DEFAULT_CONNECTION } }, deps: AppDeps) {
      context.header('cache-control', 'no-store');
      for (const id of toolkits) requireUserToolkit(id, key, deps);
      const { links } = await deps.openConnections();
      return links.create({
        owner: userOwner(key.id, userId),
        toolkits: [...new Set(toolkits)],
        name,
        createdBy: key.id,
        forMs: SESSION_MS,
      });
    },
  }),
  defineRoute({
    id: 'confirmConnection',
    summary: "Confirm which user's browser connected an account",
    method: 'POST',
    path: PATHS.connectionConfirmations,
    access: 'agent key',
    body: connectionConfirmation,
    answer: confirmedConnection,
    async handle({ key, body }, deps: AppDeps) {
      const { connect } = await deps.openConnections();
      const confirmed = await connect.confirmations.confirm(body, key);
      deps.admin?.records.changed('connections');
      return confirmed;
    },
  }),
  defineRoute({
    id: 'listConnections',
    summary: 'List the connected accounts of a user',
    method: 'GET',
    path: PATHS.connections,
    access: 'agent key',
    query: listConnectionsQuery,
    answer: appConnections,
    async handle({ key, query: { userId, toolkit } }, { store }: AppDeps) {
      const toolkitIds = toolkit === undefined ? undefined : [toolkit];
      const records = await store.connections.list({ owner: ownerOf(key, userId), toolkitIds, limit: MAX_LISTED });
      return { connections: records.map(describe) };
    },
  }),
  defineRoute({
    id: 'endConnection',
    summary: 'Disconnect an account of a user',
    method: 'DELETE',
    path: '/v1/connections/{id}',
    access: 'agent key',
    query: ofUserQuery,
    async handle({ key, params, query: { userId } }, deps: AppDeps) {
      const record = await requireConnection(params.id, ownerOf(key, userId), deps);
      const { revocation } = await deps.openConnections();
      const provider = await revocation.remove(record.id);
      if (provider === undefined) throw noSuchConnection(record.id);
      await deps.audit.write(actorOf(key), 'connection.end', record.toolkitId, { ...connectionFacts(record), provider });
      deps.admin?.records.changed('connections');
    },
  }),
  defineRoute({
    id: 'changeConnection',
    summary: 'Make an account the default one of a user',
    method: 'PATCH',
    path: '/v1/connections/{id}',
    access: 'agent key',
    query: ofUserQuery,
    body: changeAppConnection,
    async handle({ key, params, query: { userId } }, deps: AppDeps) {
      const record = await requireConnection(params.id, ownerOf(key, userId), deps);
      await deps.store.connections.setDefault(record.id);
      await deps.audit.write(actorOf(key), 'connection.default', record.toolkitId, connectionFacts(record));
      deps.admin?.records.changed('connections');
    },
  }),
] as const;

function requireUserToolkit(id: string, key: KeyRecord, deps: Pick<AppDeps, 'catalog' | 'rules' | 'online'>): void {
  const toolkit = requireVisibleToolkit(key, id, deps);
  if (isConnected(toolkit) && toolkit.auth.from === 'user') return;
  throw new SvcError('INVALID_REQUEST', `Toolkit "${id}" asks for no account of a user: leave it out`);
}

function ownerOf({ id }: KeyRecord, userId: string | undefined): string {
  return userId === undefined ? `agent:${id}` : userOwner(id, userId);
}

async function requireConnection(id: string, owner: string, { store }: Pick<AppDeps, 'store'>): Promise<ConnectionRecord> {
  const record = await store.connections.find(id);
  if (record?.owner !== owner) throw noSuchConnection(id);
  return record;
}

function noSuchConnection(id: string): SvcError {
  return new SvcError('NOT_FOUND', `There is no connection "${id.slice(0, 100)}" of this user`);
}

function describe(record: ConnectionRecord) {
  const { id, toolkitId, name, account, scopes, status, isDefault, connectedAt, usedAt } = record;
  return {
    ...{ id, toolkit: toolkitId, name, status, default: isDefault, connectedAt: toTime(connectedAt) },
    ...(account !== '' && { account }),
    ...(scopes !== '' && { scopes: scopes.split(' ') }),
    ...(usedAt !== null && { usedAt: toTime(usedAt) }),
  };
}

function actorOf({ id, name }: KeyRecord) {
  return { kind: 'key' as const, id, name };
}
