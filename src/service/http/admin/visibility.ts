/**
 * What a principal may see. Owners and admin keys see everything; a member their own keys, the toolkits that these belong to, and the calls of both.
 *
 * A toolkit key that was revoked gives no sight of its toolkit any more: else who takes it away would take nothing. Calls of one's own agent keys
 * stay one's own.
 *
 * Errors: NOT_FOUND for what is there and may not be seen, just as for what is not there.
 */
import { SvcError } from '../../../protocol/errors';
import { parseActionId } from '../../../protocol/ids';
import type { Principal } from '../../accounts/principal';
import { type KeyRing, noSuchKey } from '../../keys/key-ring';
import type { KeyRecord } from '../../store/store';

/** One's own. */
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

/** Undefined: everything. */
export async function sightOf(principal: Principal, keys: Pick<KeyRing, 'records'>): Promise<Own | undefined> {
  return principal.role === 'owner' ? undefined : ownOf(principal, keys);
}

export function mayManage(principal: Principal, key: KeyRecord): boolean {
  return principal.role === 'owner' || isOwn(principal, key);
}

export async function requireKey(principal: Principal, keys: Pick<KeyRing, 'require'>, id: string): Promise<KeyRecord> {
  const key = await keys.require(id);
  if (!mayManage(principal, key)) throw noSuchKey(id);
  return key;
}

/** For what is told of a toolkit beyond its texts. */
export function seesToolkit(sight: Own | undefined, toolkitId: string): boolean {
  return sight === undefined || sight.toolkits.includes(toolkitId);
}

export function seesAction(sight: Own | undefined, actionId: string): boolean {
  return sight === undefined || seesToolkit(sight, parseActionId(actionId)?.toolkitId ?? '');
}

export function seesKey(sight: Own | undefined, keyId: string): boolean {
  return sight === undefined || sight.agentKeyIds.includes(keyId);
}

/** @param what such as "toolkit" */
export function requireSeen(seen: boolean, what: string, id: string): void {
  if (!seen) throw new SvcError('NOT_FOUND', `Nothing is told of ${what} "${id.slice(0, 100)}": there is none, or it is not yours`);
}

function isOwn(principal: Principal, { ownerId }: KeyRecord): boolean {
  return principal.kind === 'person' && ownerId === principal.id;
}
