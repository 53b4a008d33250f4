/**
 * `POST /v1/keys/{id}/search`, `/invoke`, `/resolve`: the same answer as for an agent with that key, byte by byte, for callers who manage the key.
 * The scope, the rate limit and the records of the key count.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { SvcError } from '../../../protocol/errors';
import { PATHS } from '../../../protocol/http';
import { invokeRequest, invokeResponse, resolveResponse, searchRequest, searchResponse } from '../../../protocol/schemas';
import type { Principal } from '../../accounts/principal';
import { type KeyRing, usable } from '../../keys/key-ring';
import type { KeyRecord } from '../../store/store';
import { defineRoute } from '../define-route';
import { idempotencyKey, maxResultChars, SEARCH_ID_OF_ANSWER, searchId, timeout } from '../documented-headers';
import type { InvokeRoute } from '../invoke-route';
import { anyJsonBody } from '../json-body';
import type { RequestEnv } from '../request-env';
import type { AdminRouteDeps } from './admin-routes';
import { requireSameRole } from './authorize';
import { requireKey } from './visibility';

/** A request to the app itself, for an authenticated caller. */
export type Dispatch = (request: Request, env: RequestEnv['Bindings']) => Response | Promise<Response>;

export const runAsKeyRoutes = [
  defineRoute({
    id: 'searchActionsAsKey',
    summary: 'Find actions as an agent with the key',
    method: 'POST',
    path: '/v1/keys/{id}/search',
    access: 'person',
    limit: 'call-as-key',
    headers: [searchId],
    body: { documentedBy: searchRequest },
    answer: searchResponse,
    answerHeaders: SEARCH_ID_OF_ANSWER,
    handle: (request, deps: AdminRouteDeps) => dispatchAs(PATHS.search, request, deps),
  }),
  defineRoute({
    id: 'resolveActionAsKey',
    summary: 'What an invoke would run',
    method: 'POST',
    path: '/v1/keys/{id}/resolve',
    access: 'person',
    limit: 'call-as-key',
    body: { documentedBy: invokeRequest },
    answer: resolveResponse,
    handle: (request, deps: AdminRouteDeps) => dispatchAs(PATHS.resolve, request, deps),
  }),
  defineRoute({
    id: 'invokeActionAsKey',
    summary: 'Use an action as an agent with the key',
    method: 'POST',
    path: '/v1/keys/{id}/invoke',
    access: 'person',
    limit: 'call-as-key',
    headers: [idempotencyKey, timeout, maxResultChars, searchId],
    body: { documentedBy: invokeRequest },
    answer: invokeResponse,
    stream: { 'text/event-stream': 'Events `progress` (Progress), then one `result` (InvokeResponse) or `error` (Problem)' },
    async handle(request, deps: AdminRouteDeps) {
      const key = await agentKey(request, deps.keys);
      const { env } = request.context;
      if (!('incoming' in env)) throw new SvcError('INVALID_REQUEST', 'Calls as a key come over HTTP');
      const outgoing = env.outgoing as Parameters<InvokeRoute['handleAs']>[3];
      await deps.invokeRoute.handleAs(key, () => keyAfterBody(request, deps), env.incoming, outgoing);
      return RESPONSE_ALREADY_SENT;
    },
  }),
] as const;

interface KeyRequest {
  context: Context<RequestEnv>;
  principal: Principal;
  params: { readonly id: string };
}

async function dispatchAs(path: string, request: KeyRequest, deps: AdminRouteDeps): Promise<Response> {
  const { context } = request;
  await deps.gate.charge(await agentKey(request, deps.keys), (name, value) => context.header(name, value));
  const body = await anyJsonBody(context, deps.limits);
  const key = await keyAfterBody(request, deps);
  const { url, headers } = context.req.raw;
  const answer = await deps.dispatch(new Request(new URL(path, url), { method: 'POST', headers }), { key, body });
  return context.newResponse(answer.body, answer);
}

async function agentKey({ principal, params }: KeyRequest, keys: KeyRing): Promise<KeyRecord> {
  return usable(await requireKey(principal, keys, params.id), 'agent');
}

/** Reading a body may take long: rejects when session, role or key has ended meanwhile. */
async function keyAfterBody(request: KeyRequest, deps: AdminRouteDeps): Promise<KeyRecord> {
  await requireSameRole(request.context, request.principal, deps);
  return agentKey(request, deps.keys);
}
