/**
 * `/v1/invocations/{id}` with an agent credential: the result of a call that went on without its caller, and its cancel. docs/protocol.md section 13.
 * With a session or an admin key, GET shows the console's details of any call and DELETE cancels it: `admin/invocations.ts`.
 */
import * as z from 'zod';
import { PATHS } from '#sdk/protocol/http';
import { invokeResponse, unfinishedInvocation } from '#sdk/protocol/schemas';
import { withFirstPart } from '../calls/result-part';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { maxResultChars } from './documented-headers';
import { callHeadersOf, readCallHeaders } from './invoke-route';

const MAX_WAIT_SECONDS = 60;
const HANDLE = /^(?:inv|apr)_/;

const waitQuery = z.object({
  wait: z.coerce.number().int().min(0).max(MAX_WAIT_SECONDS).default(0).describe('Seconds to wait for the end'),
});

export const handleRoutes = [
  defineRoute({
    id: 'followInvocation',
    summary: 'The result of a call that goes on without its caller',
    method: 'GET',
    path: `${PATHS.invocations}/{id}`,
    access: 'agent',
    agentIds: HANDLE,
    query: waitQuery,
    headers: [maxResultChars],
    answer: invokeResponse,
    accepted: unfinishedInvocation,
    async handle({ context, key, params, query }, { handles }: AppDeps) {
      const { signal, headers } = context.req.raw;
      const { maxResultChars: maxChars } = readCallHeaders(callHeadersOf({ headers: Object.fromEntries(headers) }));
      const onDisconnect = (listener: () => void) => signal.addEventListener('abort', listener, { once: true });
      const { json, status } = await handles.follow(params.id, key, { waitMs: query.wait * 1_000, onDisconnect });
      const shown = status === 200 && maxChars !== undefined ? withFirstPart(json, maxChars) : json;
      return context.body(shown, status, { 'content-type': 'application/json' });
    },
  }),
  defineRoute({
    id: 'cancelInvocation',
    summary: 'Cancel a call that goes on without its caller',
    method: 'DELETE',
    path: `${PATHS.invocations}/{id}`,
    access: 'agent',
    agentIds: HANDLE,
    handle: ({ key, params }, { handles }: AppDeps) => handles.cancel(params.id, key),
  }),
] as const;
