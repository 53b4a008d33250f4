/** `/v1/runs`: programs of models, which make their calls inside the service. docs/protocol.md section 14. */
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { type Prefer, readPrefer } from '#sdk/protocol/prefer';
import { runAnswer, runningRun, runRequest } from '#sdk/protocol/run-schemas';
import type { RunRequest } from '#sdk/protocol/runs';
import type { AppDeps } from './app-deps';
import { type AnyRequest, defineRoute } from './define-route';
import {
  ask,
  connectionNames,
  idempotencyKey,
  maxPayment,
  prefer,
  searchId,
  sessionId,
  timeout,
  usage,
  userId,
} from './documented-headers';
import { callHeadersOf, readCallHeaders } from './invoke-route';

/** Request headers of a run. */
export const RUN_HEADERS = [idempotencyKey, timeout, prefer, ask, searchId, maxPayment, userId, sessionId, connectionNames, usage];

const DEFAULT_WAIT_MS = 60_000;

export const runRoutes = [
  defineRoute({
    id: 'runCode',
    summary: 'Run a program that uses actions, or attach to its run',
    method: 'POST',
    path: PATHS.runs,
    access: 'agent',
    headers: RUN_HEADERS,
    body: runRequest,
    answer: runAnswer,
    accepted: runningRun,
    async handle({ context, key, body }, { runs, limits, usageReports }: AppDeps) {
      const { code, approved = [], refused = [] } = body;
      const { credentials, timeoutMs = limits.maxTimeoutMs, prefer: waits, ...headers } = headersOf(context);
      if (credentials !== undefined) throw keepsNoCredential();
      usageReports.take(key, sentHeadersOf(context));
      const program = {
        ...{ key, code, callerIds: headers.callerIds, ask: headers.ask, searchId: headers.searchId },
        ...{ connectionNames: headers.connectionNames, maxPayment: headers.maxPayment },
        idempotencyKey: nameOf(body, headers.idempotencyKey),
        timeoutMs: Math.min(timeoutMs, limits.maxTimeoutMs),
      };
      const decisions = approved.length + refused.length > 0 ? { approved, refused } : undefined;
      const { json, status } = await required(runs).start(program, waitOf(context, waits, DEFAULT_WAIT_MS), decisions);
      return context.body(json, status, { 'content-type': 'application/json' });
    },
  }),
  defineRoute({
    id: 'followRun',
    summary: 'The state of a run of code, or its end',
    method: 'GET',
    path: `${PATHS.runs}/{id}`,
    access: 'agent',
    headers: [prefer],
    answer: runAnswer,
    accepted: runningRun,
    async handle({ context, key, params }, { runs }: AppDeps) {
      const wait = waitOf(context, readPrefer(context.req.header('prefer')), 0);
      const { json, status } = await required(runs).follow(params.id, key, wait);
      return context.body(json, status, { 'content-type': 'application/json' });
    },
  }),
  defineRoute({
    id: 'cancelRun',
    summary: 'Cancel a run of code, and its calls',
    method: 'DELETE',
    path: `${PATHS.runs}/{id}`,
    access: 'agent',
    handle: ({ key, params }, { runs }: AppDeps) => required(runs).cancel(params.id, key),
  }),
] as const;

type Context = AnyRequest['context'];

function headersOf(context: Context) {
  return readCallHeaders(sentHeadersOf(context));
}

function sentHeadersOf({ req }: Context) {
  return callHeadersOf({ headers: Object.fromEntries(req.raw.headers) });
}

function waitOf({ req }: Context, waits: Prefer | undefined, defaultMs: number) {
  const { signal } = req.raw;
  const waitMs = waits?.waitMs ?? (waits?.respondAsync ? 0 : defaultMs);
  return { waitMs, onDisconnect: (listener: () => void) => signal.addEventListener('abort', listener, { once: true }) };
}

/** The names of the body and of the header are one. */
function nameOf({ run }: Pick<RunRequest, 'run'>, header: string | undefined): string | undefined {
  if (run === undefined || header === undefined || run === header) return run ?? header;
  throw new SvcError('INVALID_REQUEST', 'The request has two names, "run" and Idempotency-Key, which differ: send one of them');
}

function required(runs: AppDeps['runs']): NonNullable<AppDeps['runs']> {
  if (runs) return runs;
  const message =
    'This service runs no code: its operator switches it on with `svc-service serve --code`, or createService({ code: true })';
  throw new SvcError('ACTION_NOT_ALLOWED', message);
}

function keepsNoCredential(): SvcError {
  const message =
    'Svc-Connections is not for runs of code: the service keeps no credential of a caller, and a run may go on without one. Use connections that the service keeps, or make the calls yourself';
  return new SvcError('INVALID_REQUEST', message);
}
