/** Access to the admin API: signed-in people and admin keys, their role and their rate limit. */
import type { Context } from 'hono';
import type { Actor } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import { isUnsafe } from '../../accounts/csrf';
import type { Principal } from '../../accounts/principal';
import { isAgentCredential } from '../../keys/bearer';
import { requireStorable } from '../../lib/storable';
import type { AppDeps } from '../app-deps';
import { clientRequest } from '../client-request';
import type { Route } from '../define-route';
import { requireKnownHost } from '../known-host';
import type { RequestEnv } from '../request-env';
import type { Admitted } from '../serve-routes';

type Sessions = Pick<AppDeps, 'keys' | 'admin'>;

/** Returns an admin key, or, while the console is on, a signed-in person. Rejects as `KeyRing.authenticate` and `Accounts.principal` do. */
export async function principalOf(request: Request, { keys, admin }: Sessions): Promise<Principal> {
  if (admin) return admin.accounts.principal(request);
  const { id, name } = await keys.authenticate(request.headers.get('authorization') ?? undefined, 'admin');
  return { kind: 'key', id, name, role: 'owner' };
}

/** Authorises a request of the admin API, and counts it against the rate limits unless it is read-only. */
export async function admitPrincipal(
  context: Context<RequestEnv>,
  { access, limit = 'change' }: Pick<Route<never>, 'access' | 'limit'>,
  deps: Sessions & Pick<AppDeps, 'changeLimits' | 'hosts' | 'gate'>,
): Promise<Admitted> {
  const { req } = context;
  const authorization = req.header('authorization');
  // The service sends this request to itself, for an authenticated caller.
  if (access === 'person or agent key' && 'key' in context.env) {
    if (context.env.key.token) throw new SvcError('NOT_PERMITTED', 'A token decides about no call: a person, or its agent key, does');
    return { key: context.env.key };
  }
  if (access === 'person or agent key' && isAgentCredential(authorization))
    return { key: await deps.gate.admitKey(authorization, (name, value) => context.header(name, value)) };
  if (access === 'anyone' || access === 'link') requireKnownHost(req.header('host'), deps);
  if (access === 'anyone') return {};
  if (access === 'link') {
    await deps.admin?.accounts.admitLinkHolder(clientRequest(context));
    return {};
  }
  const principal = await principalOf(req.raw, deps);
  if (principal.kind === 'person') requireKnownHost(req.header('host'), deps);
  requireStorable(req.query(), 'query');
  if (req.url.includes('%00')) throw new SvcError('NOT_FOUND', 'Nothing has an id with U+0000 in it');
  if (isUnsafe(req)) await deps.changeLimits.count(principal, limit);
  if (typeof access === 'object' && principal.role !== 'owner')
    throw new SvcError('NOT_PERMITTED', `Only owners may ${access.owner}: ask one of them`);
  return { principal };
}

/** Rejects when the session, the key or the role has ended since the request was admitted. */
export async function requireSameRole({ req }: Context<RequestEnv>, admitted: Principal, deps: Sessions): Promise<Principal> {
  const principal = await principalOf(req.raw, deps);
  if (principal.role !== admitted.role) throw new SvcError('NOT_SIGNED_IN', 'Your role has changed: sign in again');
  return principal;
}

/**
 * Call this after a request has created an item. Runs `undo` and rejects if the creator lost the account or the role meanwhile. The code that
 * removes an account or role then removes everything that the person created, so one of the two always removes the item.
 */
export async function undoIfRoleChanged(
  context: Context<RequestEnv>,
  admitted: Principal,
  deps: Sessions,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    await requireSameRole(context, admitted, deps);
  } catch (error) {
    await undo();
    throw error;
  }
}

export function actorOf({ kind, id, name }: Principal): Actor {
  return { kind, id, name };
}
