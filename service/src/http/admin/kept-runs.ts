/** `/v1/code-runs`: runs of code with their programs, for people and admin keys. */

import { toAmount } from '#sdk/protocol/amount';
import { keptRun, keptRunsPage, keptRunsQuery, type RunInfo } from '#sdk/protocol/kept-run-schemas';
import { toTime } from '../../lib/to-time';
import type { RunRecord } from '../../store/run-store';
import type { KeyRecord } from '../../store/store';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { callsOfRun } from './invocations';
import { agentKeysFor, requireSeen, seesKey, visibleTo } from './visibility';

export const keptRunRoutes = [
  defineRoute({
    id: 'listRuns',
    summary: 'Runs of code, newest first',
    method: 'GET',
    path: '/v1/code-runs',
    access: 'person',
    query: keptRunsQuery,
    answer: keptRunsPage,
    async handle({ principal, query: { key, session, limit, cursor } }, { keys, store }: AdminRouteDeps) {
      const visible = await visibleTo(principal, keys);
      const found = await store.runs.list({
        agentKeyIds: agentKeysFor(visible, key),
        sessionId: session,
        limit: limit + 1,
        before: cursor,
      });
      const some = found.slice(0, limit);
      const byId = await keys.findAll(some.map(({ agentKeyId }) => agentKeyId));
      const last = some.at(-1);
      return {
        runs: some.map((run) => infoOf(run, byId.get(run.agentKeyId))),
        ...(found.length > limit && last && { nextCursor: last.id }),
      };
    },
  }),
  defineRoute({
    id: 'getRun',
    summary: 'One run of code: its program, its answer, its calls and their cost',
    method: 'GET',
    path: '/v1/code-runs/{id}',
    access: 'person',
    answer: keptRun,
    async handle({ principal, params: { id } }, deps: AdminRouteDeps) {
      const { keys, store, runs } = deps;
      const run = await store.runs.get(id);
      const visible = await visibleTo(principal, keys);
      requireSeen(run !== undefined && runs !== undefined && seesKey(visible, run.agentKeyId), 'run', id);
      const invocations = await callsOfRun(principal, id, deps);
      const charged = [...(await store.ledger.ofCalls(invocations.map((call) => call.id))).values()];
      const sum = charged.reduce((total, entry) => total + (entry.charged ?? 0n), 0n);
      const [{ currency } = { currency: '' }] = charged;
      return {
        ...infoOf(run, await keys.find(run.agentKeyId)),
        ...runs.contentOf(run),
        invocations,
        ...(charged.length > 0 && { cost: { amount: toAmount(sum), currency } }),
      };
    },
  }),
] as const;

function infoOf(run: RunRecord, key: KeyRecord | undefined): RunInfo {
  const { id, status, agentKeyId, userId, sessionId, calls, attempt, createdAt, endedAt } = run;
  return {
    ...{ id, status, calls, attempt, createdAt: toTime(createdAt) },
    key: { id: agentKeyId, name: key?.name ?? '' },
    ...(userId !== null && { user: userId }),
    ...(sessionId !== null && { session: sessionId }),
    ...(endedAt !== null && { endedAt: toTime(endedAt) }),
  };
}
