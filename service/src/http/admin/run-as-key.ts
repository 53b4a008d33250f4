/**
 * `POST /v1/keys/{id}/search`, `/invoke`, `/resolve`, `/runs`, `/usage`: for callers who manage the key, the same answer byte by byte as for an agent with that key.
 * The key's scope and budget apply, and the calls are recorded under it with the origin `console`: the limit per minute is the person's, and neither
 * Demand, nor learning, nor any rate counts them.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { runAnswer, runningRun, runRequest } from '#sdk/protocol/run-schemas';
import { invokeRequest, invokeResponse, resolveResponse, searchRequest, searchResponse, unfinishedInvocation } from '#sdk/protocol/schemas';
import type { Principal } from '../../accounts/principal';
import type { CallingKey } from '../../keys/agent-tokens';
import type { KeyRing } from '../../keys/key-ring';
import { defineRoute } from '../define-route';
import { INVOKE_EVENTS, prefer, SEARCH_ID_OF_ANSWER, searchId, sessionId, usage, userId } from '../documented-headers';
import { INVOKE_HEADERS } from '../invoke-declaration';
import type { InvokeRoute } from '../invoke-route';
import type { RequestEnv } from '../request-env';
import { RUN_HEADERS } from '../run-routes';
import type { AdminRouteDeps } from './admin-route-deps';
import { requireSameRole } from './authorize';
import { requireKey } from './visibility';

export const runAsKeyRoutes = [
  defineRoute({
    id: 'searchActionsAsKey',
    summary: 'Find actions as an agent with the key',
    method: 'POST',
    path: '/v1/keys/{id}/search',
    access: 'person',
    limit: 'call-as-key',
    headers: [searchId, userId, sessionId, usage],
    body: { documentedBy: searchRequest },
    answer: searchResponse,
    answerHeaders: SEARCH_ID_OF_ANSWER,
    handle: (request, deps: AdminRouteDeps) => dispatchAs(PATHS.search, request, deps),
  }),
  defineRoute({
    id: 'resolveActionAsKey',
    summary: 'Show the action and payload that an invoke would run',
    method: 'POST',
    path: '/v1/keys/{id}/resolve',
    access: 'person',
    limit: 'call-as-key',
    headers: [userId, sessionId, usage],
    body: { documentedBy: invokeRequest },
    answer: resolveResponse,
    handle: (request, deps: AdminRouteDeps) => dispatchAs(PATHS.resolve, request, deps),
  }),
  defineRoute({
    id: 'runCodeAsKey',
    summary: 'Run a program as an agent with the key, or attach to its run',
    method: 'POST',
    path: '/v1/keys/{id}/runs',
    access: 'person',
    limit: 'call-as-key',
    headers: RUN_HEADERS,
    body: { documentedBy: runRequest },
    answer: runAnswer,
    accepted: runningRun,
    handle: (request, deps: AdminRouteDeps) => dispatchAs(PATHS.runs, request, deps),
  }),
  defineRoute({
    id: 'followRunAsKey',
    summary: 'The state of a run of the key, or its end',
    method: 'GET',
    path: '/v1/keys/{id}/runs/{run}',
    access: 'person',
    headers: [prefer],
    answer: runAnswer,
    accepted: runningRun,
    handle: (request, deps: AdminRouteDeps) => dispatchAs(`${PATHS.runs}/${request.params.run}`, request, deps, 'GET'),
  }),
  defineRoute({
    id: 'reportUsageAsKey',
    summary: 'Report the tokens that a model used in a session of the key',
    method: 'POST',
    path: '/v1/keys/{id}/usage',
    access: 'person',
    limit: 'call-as-key',
    headers: [usage, sessionId, userId],
    handle: (request, deps: AdminRouteDeps) => dispatchAs(PATHS.usage, request, deps),
  }),
  defineRoute({
    id: 'invokeActionAsKey',
    summary: 'Use an action as an agent with the key',
    method: 'POST',
    path: '/v1/keys/{id}/invoke',
    access: 'person',
    limit: 'call-as-key',
    headers: INVOKE_HEADERS,
    body: { documentedBy: invokeRequest, isReadByHandler: true },
    answer: invokeResponse,
    accepted: unfinishedInvocation,
    stream: INVOKE_EVENTS,
    async handle(request, deps: AdminRouteDeps) {
      const key = await ownKey(request, deps.keys);
      const { env } = request.context;
      if (!('incoming' in env)) throw new SvcError('INVALID_REQUEST', 'A call as a key needs a request over HTTP');
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

async function dispatchAs(
  path: string,
  request: KeyRequest & { body?: unknown },
  deps: AdminRouteDeps,
  method: 'GET' | 'POST' = 'POST',
): Promise<Response> {
  const { context, body } = request;
  const key = await ownKey(request, deps.keys);
  const { url, headers, signal } = context.req.raw;
  const answer = await deps.dispatch(new Request(new URL(path, url), { method, headers, signal }), { key, body });
  return context.newResponse(answer.body, answer);
}

/** Authenticates in the key ring, so that the key is cached: only calls of cached keys end with their key. */
async function agentKey({ principal, params }: KeyRequest, keys: KeyRing): Promise<CallingKey> {
  return { ...(await keys.again(await requireKey(principal, keys, params.id), 'agent')), origin: 'console' };
}

/** A call that names no user acts with the accounts of the person. */
async function ownKey(request: KeyRequest, keys: KeyRing): Promise<CallingKey> {
  const { kind, id } = request.principal;
  return { ...(await agentKey(request, keys)), ...(kind === 'person' && { personId: id }) };
}

/** Rejects if the session, role or key has ended while the body was read. */
async function keyAfterBody(request: KeyRequest, deps: AdminRouteDeps): Promise<CallingKey> {
  await requireSameRole(request.context, request.principal, deps);
  return ownKey(request, deps.keys);
}
