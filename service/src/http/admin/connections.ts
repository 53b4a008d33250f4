/** `/v1/kept-connections`: accounts that the service keeps. Served while the console is off too. docs/protocol.md section 10. */
import { DEFAULT_CONNECTION } from '#sdk/protocol/connections';
import { SvcError } from '#sdk/protocol/errors';
import {
  type ConnectLinkRequest,
  changeKeptConnectionRequest,
  connectLink,
  connectLinkRequest,
  endedConnection,
  keptConnectionsPage,
  listKeptConnectionsQuery,
  resealedConnections,
} from '#sdk/protocol/kept-connection-schemas';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import type { Principal } from '../../accounts/principal';
import { connectionFacts } from '../../audit/connection-facts';
import type { ConnectedToolkit } from '../../connections/call-connections';
import { SESSION_MS } from '../../connections/connect/connect-links';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { actorOf } from './authorize';
import { connectionViewer, describeConnections, requireChoice, requireConnection } from './connection-rights';
import { requireConnectedToolkit } from './require-toolkit';
import { ownOf, requireKey, requireSeen, seesToolkit } from './visibility';

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
      await requireChoice(record, principal, deps.keys);
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
  defineRoute({
    id: 'createConnectLink',
    summary: 'Create a link that connects an account',
    method: 'POST',
    path: '/v1/kept-connections/links',
    access: 'person',
    body: connectLinkRequest,
    answer: connectLink,
    status: 201,
    async handle({ principal, body: { name = DEFAULT_CONNECTION, ...body } }, deps: AppDeps) {
      const toolkit = requireConnectedToolkit(body.toolkit, deps.catalog);
      const owner = await ownerOf(body, toolkit, principal, deps);
      const { links } = await deps.openConnections();
      return links.create({ owner, toolkits: [toolkit.id], name, createdBy: principal.id, forMs: SESSION_MS });
    },
  }),
  defineRoute({
    id: 'resealConnections',
    summary: 'Seal all accounts with the present secrets key',
    method: 'POST',
    path: '/v1/kept-connections/reseal',
    access: { owner: 'reseal connections' },
    answer: resealedConnections,
    async handle({ principal }, deps: AppDeps) {
      const done = await (await deps.openConnections()).reseal();
      await deps.audit.write(actorOf(principal), 'connection.reseal', 'connections', { ...done });
      return done;
    },
  }),
] as const;

/** The owner of the account to connect, as the toolkit asks for it. Rejects for a principal who may not connect it. */
async function ownerOf(
  { owner, keyId }: ConnectLinkRequest,
  { id, auth }: ConnectedToolkit,
  principal: Principal,
  { keys }: Pick<AppDeps, 'keys'>,
): Promise<string> {
  const asked = { everyone: 'everyone', agent: 'agent', me: 'user' }[owner];
  if (auth.from !== asked) throw new SvcError('INVALID_REQUEST', `Toolkit "${id}" asks for an account of ${FROM_WORDS[auth.from]}`);
  if ((owner === 'agent') !== (keyId !== undefined))
    throw new SvcError(
      'INVALID_REQUEST',
      'keyId is the agent key whose calls act with the account: it belongs to owner "agent", and only to it',
    );
  if (owner === 'me') {
    if (principal.kind !== 'person')
      throw new SvcError('NOT_PERMITTED', 'An admin key has no account of its own: a person connects theirs in the console');
    return `person:${principal.id}`;
  }
  requireFreshSignIn(principal);
  if (owner === 'agent') {
    const key = await requireKey(principal, keys, keyId ?? '');
    if (key.kind !== 'agent') throw new SvcError('INVALID_REQUEST', `${key.id} is not an agent key`);
    return `agent:${key.id}`;
  }
  requireSeen(principal.role === 'owner' || seesToolkit(await ownOf(principal, keys), id), 'toolkit', id);
  return 'everyone';
}

const FROM_WORDS = {
  caller: 'the caller, who sends it with each call: nothing is kept',
  user: 'each user: owner "me"',
  agent: 'each agent key: owner "agent"',
  everyone: 'everyone: owner "everyone"',
} as const;
