/** On whose behalf a request of the admin API is answered, and what only owners may do. */
import type { Context, MiddlewareHandler } from 'hono';
import type { ZodType } from 'zod';
import type { Actor } from '../../../protocol/admin';
import { SvcError } from '../../../protocol/errors';
import type { Caller } from '../../accounts/auth-request';
import type { Counted } from '../../accounts/change-limits';
import { asksForChange } from '../../accounts/csrf';
import type { Principal } from '../../accounts/principal';
import { requireStorable } from '../../lib/storable';
import type { AppDeps } from '../app-deps';
import { jsonBody } from '../json-body';
import type { RequestEnv } from '../request-env';

export interface AdminEnv extends RequestEnv {
  Variables: { principal: Principal };
}

/** An admin key, or, while the console is on, a person who is signed in. Rejects as `KeyRing.authenticate` and `Accounts.principal` do. */
export async function principalOf(request: Request, { keys, admin }: Pick<AppDeps, 'keys' | 'admin'>): Promise<Principal> {
  if (admin) return admin.accounts.principal(request);
  const { id, name } = await keys.authenticate(request.headers.get('authorization') ?? undefined, 'admin');
  return { kind: 'key', id, name, role: 'owner' };
}

/** @param counted what a request is that does not only look */
export function signedIn(deps: Pick<AppDeps, 'keys' | 'admin' | 'changeLimits'>, counted: Counted = 'change'): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    const principal = await principalOf(context.req.raw, deps);
    requireStorableAddress(context);
    if (asksForChange(context.req)) await deps.changeLimits.count(principal, counted);
    context.set('principal', principal);
    await next();
  };
}

function requireStorableAddress({ req }: Context<AdminEnv>): void {
  requireStorable(req.query(), 'query');
  if (req.url.includes('%00')) throw new SvcError('NOT_FOUND', 'Nothing has an id with U+0000 in it');
}

/** After `signedIn`. */
export function ownersOnly(what: string): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    requireOwner(context.get('principal'), what);
    await next();
  };
}

/** @param what completes "Only owners may …" */
function requireOwner({ role }: Principal, what: string): void {
  if (role !== 'owner') throw new SvcError('NOT_PERMITTED', `Only owners may ${what}: ask one of them`);
}

/** A body of which texts will be stored, or looked for in the store. */
export async function storableBody<T>(context: Context<AdminEnv>, schema: ZodType<T>, { limits }: Pick<AppDeps, 'limits'>): Promise<T> {
  const body = await jsonBody(context, schema, limits);
  requireStorable(body, 'body');
  return body;
}

/** The body of a change. It may be long under way: whose session or role has ended by then changes nothing any more. */
export async function changeBody<T>(
  context: Context<AdminEnv>,
  schema: ZodType<T>,
  deps: Pick<AppDeps, 'keys' | 'admin' | 'limits'>,
): Promise<T> {
  const body = await storableBody(context, schema, deps);
  await refuseChanged(context, deps);
  return body;
}

/** Rejects for whoever is not any more who they were when the request was let in. */
export async function refuseChanged(context: Context<AdminEnv>, deps: Pick<AppDeps, 'keys' | 'admin'>): Promise<void> {
  const { role } = await principalOf(context.req.raw, deps);
  if (role !== context.get('principal').role) throw new SvcError('NOT_SIGNED_IN', 'Your role has changed: sign in again');
}

/**
 * After something was made: whoever has lost account or role at that very time shall not have it. Who takes them away looks for what there is
 * afterwards, so that one of the two sees it.
 */
export async function undoIfChanged(
  context: Context<AdminEnv>,
  deps: Pick<AppDeps, 'keys' | 'admin'>,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    await refuseChanged(context, deps);
  } catch (error) {
    await undo();
    throw error;
  }
}

export function actorOf({ kind, id, name }: Principal): Actor {
  return { kind, id, name };
}

/** The address is that of the connection: of whoever stands before the service, such as a proxy. */
export function callerOf({ env, req }: Pick<Context<RequestEnv>, 'env' | 'req'>): Caller {
  return { request: req.raw, clientAddress: ('incoming' in env && env.incoming.socket.remoteAddress) || 'unknown' };
}
