/** `POST /v1/resolve`: returns the action and payload that an invoke would run, for an approval before the call. docs/protocol.md section 5. */
import { PATHS } from '#sdk/protocol/http';
import { invokeRequest, resolveResponse } from '#sdk/protocol/schemas';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import {
  ask,
  caller,
  connectionNames,
  connections,
  idempotencyKey,
  searchId,
  sessionId,
  timeout,
  usage,
  userId,
} from './documented-headers';
import { callHeadersOf, readCallHeaders } from './invoke-route';

export const resolveRoute = defineRoute({
  id: 'resolveAction',
  summary: 'Show the action and payload that an invoke would run',
  method: 'POST',
  path: PATHS.resolve,
  access: 'agent',
  headers: [ask, idempotencyKey, timeout, searchId, userId, sessionId, connections, connectionNames, caller, usage],
  // Models write the payload, so the calls decode it.
  body: { documentedBy: invokeRequest },
  answer: resolveResponse,
  async handle({ context, key, body }, { calls, usageReports }: AppDeps) {
    const headers = callHeadersOf({ headers: Object.fromEntries(context.req.raw.headers) });
    const read = readCallHeaders(headers);
    usageReports.take(key, headers);
    return calls.resolve({ key, body, ...read, onDisconnect: () => {}, onProgress: undefined });
  },
});
