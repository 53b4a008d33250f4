/** `GET /v1/reports/toolkits/{id}/callers`: the agents that call a toolkit, without the ids of other people's keys. */
import type { ToolkitCallers } from '#sdk/protocol/admin';
import { toolkitCallers } from '#sdk/protocol/admin-schemas';
import { toTime } from '../../lib/to-time';
import { DAY_MS } from '../../lib/utc-day';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { requireToolkit } from './require-toolkit';
import { requireSeen, seesToolkit, shownName, visibleTo } from './visibility';

const WEEK_MS = 7 * DAY_MS;
const MOST_CALLERS = 100;
/** Reading them takes a tenth of a second. */
const MOST_CALLS = 50_000;

export const toolkitCallerRoutes = [
  defineRoute({
    id: 'listToolkitCallers',
    summary: 'The agents that call a toolkit',
    method: 'GET',
    path: '/v1/reports/toolkits/{id}/callers',
    access: 'person',
    answer: toolkitCallers,
    async handle({ principal, params }, { store, keys, catalog }: AdminRouteDeps): Promise<ToolkitCallers> {
      const { id, createdAt } = requireToolkit(params.id, catalog);
      requireSeen(seesToolkit(await visibleTo(principal, keys), id), 'toolkit', id);
      const now = Date.now();
      // Earlier calls belong to a removed toolkit with the same id.
      const [from, recentFrom] = [Math.max(now - WEEK_MS, createdAt), Math.max(now - DAY_MS, createdAt)];
      const query = { toolkitId: id, from, recentFrom, limit: MOST_CALLERS, mostCalls: MOST_CALLS };
      const { callers: found, countedFrom } = await store.invocations.callers(query);
      const ids = found.map(({ agentKeyId }) => agentKeyId);
      const [numbers, byId] = await Promise.all([store.callers.of(id, ids), keys.findAll(ids)]);
      const callers = found.map(({ agentKeyId, recent, all, lastAt }) => {
        const name = shownName(byId.get(agentKeyId), principal);
        const who = name === undefined ? { name: `agent ${numbers.get(agentKeyId)}` } : { name, key: agentKeyId };
        return { ...who, day: recent, week: all, lastAt: toTime(lastAt) };
      });
      return { callers, ...(countedFrom !== undefined && { countedFrom: toTime(countedFrom) }) };
    },
  }),
] as const;
