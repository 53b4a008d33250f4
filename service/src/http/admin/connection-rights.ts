/**
 * Rights on kept connections. Owners and admin keys see and end all. A member sees and ends those of their own toolkits, of their own agent keys
 * and of the users of these, and their own.
 *
 * Errors: NOT_FOUND both for invisible and for missing items.
 */
import type { ConnectionInfo } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { Principal } from '../../accounts/principal';
import { type ConnectionOwner, readOwner } from '../../connections/owner';
import type { KeyRing } from '../../keys/key-ring';
import { toTime } from '../../lib/to-time';
import type { ConnectionRecord, ConnectionViewer } from '../../store/connection-store';
import type { AppDeps } from '../app-deps';
import { requireSeen, visibleTo } from './visibility';

/** Undefined for a principal who sees everything. */
export async function connectionViewer(principal: Principal, keys: Pick<KeyRing, 'records'>): Promise<ConnectionViewer | undefined> {
  const own = await visibleTo(principal, keys);
  return own && { toolkitIds: own.toolkits, agentKeyIds: own.agentKeyIds, personId: principal.id };
}

export async function requireConnection(
  id: string,
  principal: Principal,
  { keys, store }: Pick<AppDeps, 'keys' | 'store'>,
): Promise<ConnectionRecord> {
  const record = await store.connections.find(id);
  requireSeen(record !== undefined && sees(await connectionViewer(principal, keys), record), 'connection', id);
  return record;
}

/** Rejects for people of a toolkit who see an account there that is another owner's: which one acts for that owner is not theirs to choose. */
export async function requireChoice({ owner }: ConnectionRecord, principal: Principal, keys: Pick<KeyRing, 'records'>): Promise<void> {
  const viewer = await connectionViewer(principal, keys);
  if (viewer === undefined || owner === 'everyone' || owns(viewer, readOwner(owner))) return;
  throw new SvcError('NOT_PERMITTED', 'Only the owner of the account chooses which one their calls use: you may end it');
}

function sees(viewer: ConnectionViewer | undefined, { toolkitId, owner }: ConnectionRecord): boolean {
  return viewer === undefined || viewer.toolkitIds.includes(toolkitId) || owns(viewer, readOwner(owner));
}

/** True if the account is the viewer's, of their agent key, or of a user of it. */
function owns({ agentKeyIds, personId }: ConnectionViewer, owner: ConnectionOwner): boolean {
  if (owner.kind === 'everyone') return false;
  return owner.kind === 'person' ? owner.personId === personId : agentKeyIds.includes(owner.keyId);
}

/** Describes connections for a principal, who may see the toolkit of an account but not whose it is. */
export async function describeConnections(
  records: readonly ConnectionRecord[],
  principal: Principal,
  { keys, store }: Pick<AppDeps, 'keys' | 'store'>,
): Promise<ConnectionInfo[]> {
  const viewer = await connectionViewer(principal, keys);
  const owners = new Map(records.map(({ id, owner }) => [id, readOwner(owner)]));
  const ids = [...owners.values()].flatMap((owner) => ('keyId' in owner ? [owner.keyId] : []));
  const keyNames = new Map([...(await keys.findAll(ids))].map(([id, { name }]) => [id, name]));
  const people = [...owners.values()].some(({ kind }) => kind === 'person') ? await store.accounts.list() : [];
  const personNames = new Map(people.map(({ id, name }) => [id, name]));
  return records.map((record) => {
    const owner = owners.get(record.id) as ConnectionOwner;
    const isShown = viewer === undefined || owns(viewer, owner);
    return {
      ...describe(record),
      owner: isShown ? describeOwner(owner, keyNames, personNames) : { kind: owner.kind },
      mine: principal.kind === 'person' && owner.kind === 'person' && owner.personId === principal.id,
    };
  });
}

function describe(record: ConnectionRecord): Omit<ConnectionInfo, 'owner' | 'mine'> {
  const { id, toolkitId, name, isDefault, status, account, scopes, connectedAt, usedAt, expiresAt, fault, faultAt } = record;
  return {
    id,
    toolkit: toolkitId,
    name,
    default: isDefault,
    status,
    ...(account !== '' && { account }),
    ...(scopes !== '' && { scopes: scopes.split(' ') }),
    connectedAt: toTime(connectedAt),
    ...(usedAt !== null && { lastUsedAt: toTime(usedAt) }),
    ...(expiresAt !== null && { expiresAt: toTime(expiresAt) }),
    ...(fault !== null && faultAt !== null && { fault: { message: fault, at: toTime(faultAt) } }),
  };
}

function describeOwner(
  owner: ConnectionOwner,
  keyNames: ReadonlyMap<string, string>,
  personNames: ReadonlyMap<string, string>,
): ConnectionInfo['owner'] {
  if (owner.kind === 'everyone') return owner;
  if (owner.kind === 'person')
    return { kind: 'person', person: { id: owner.personId, name: personNames.get(owner.personId) ?? owner.personId } };
  const key = { id: owner.keyId, name: keyNames.get(owner.keyId) ?? owner.keyId };
  return owner.kind === 'agent' ? { kind: 'agent', key } : { kind: 'user', key, user: owner.userId };
}
