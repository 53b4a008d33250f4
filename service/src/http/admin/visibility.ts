/**
 * Visibility for a principal. Owners and admin keys see everything; a member sees their own keys, the toolkits of these keys, and the calls of both.
 * A revoked toolkit key gives no access to its toolkit. Calls of a member's own agent keys stay visible to them.
 *
 * Errors: NOT_FOUND both for invisible and for missing items.
 */
import { SvcError } from '#sdk/protocol/errors';
import { parseActionId } from '#sdk/protocol/ids';
import type { Principal } from '../../accounts/principal';
import { type KeyRing, noSuchKey } from '../../keys/key-ring';
import type { KeyRecord } from '../../store/store';

/** A member's own keys and toolkits. */
export interface Own {
  agentKeyIds: string[];
  toolkits: string[];
}

export async function ownOf(principal: Principal, keys: Pick<KeyRing, 'records'>): Promise<Own> {
  const own = principal.kind === 'person' ? await keys.records(principal.id) : [];
  return { agentKeyIds: own.filter(({ kind }) => kind === 'agent').map(({ id }) => id), toolkits: toolkitsOf(own) };
}

export function toolkitsOf(own: readonly KeyRecord[]): string[] {
  return [...new Set(own.flatMap(({ toolkitId, revokedAt }) => (toolkitId !== null && revokedAt === null ? [toolkitId] : [])))];
}

/** Returns undefined for a principal who sees everything. */
export async function visibleTo(principal: Principal, keys: Pick<KeyRing, 'records'>): Promise<Own | undefined> {
  return principal.role === 'owner' ? undefined : ownOf(principal, keys);
}

function mayManage(principal: Principal, key: KeyRecord): boolean {
  return principal.role === 'owner' || isOwn(principal, key);
}

/** A member sees calls of other people's keys to their own toolkit, but not the names of these keys. */
export function shownName(key: KeyRecord | undefined, principal: Principal): string | undefined {
  return key && mayManage(principal, key) ? key.name : undefined;
}

export async function requireKey(principal: Principal, keys: Pick<KeyRing, 'require'>, id: string): Promise<KeyRecord> {
  const key = await keys.require(id);
  if (!mayManage(principal, key)) throw noSuchKey(id);
  return key;
}

/** True if the principal sees more of a toolkit than its texts. */
export function seesToolkit(visible: Own | undefined, toolkitId: string): boolean {
  return visible === undefined || visible.toolkits.includes(toolkitId);
}

export function seesAction(visible: Own | undefined, actionId: string): boolean {
  return visible === undefined || seesToolkit(visible, parseActionId(actionId)?.toolkitId ?? '');
}

export function seesKey(visible: Own | undefined, keyId: string): boolean {
  return visible === undefined || visible.agentKeyIds.includes(keyId);
}

/** The agent keys whose requests a principal may list, of one key or of all. Undefined: of every key. */
export function agentKeysFor(visible: Own | undefined, key: string | undefined): readonly string[] | undefined {
  if (key === undefined) return visible?.agentKeyIds;
  return seesKey(visible, key) ? [key] : [];
}

/** @param what noun for the message, such as "toolkit" */
export function requireSeen(seen: boolean, what: string, id: string): asserts seen {
  if (!seen) throw new SvcError('NOT_FOUND', `There is no ${what} "${id.slice(0, 100)}" of yours`);
}

function isOwn(principal: Principal, { ownerId }: KeyRecord): boolean {
  return principal.kind === 'person' && ownerId === principal.id;
}
