/**
 * `/v1/ledger` and `/v1/spending`: the costs of paid calls. A member sees the calls of their agent keys, and the calls of their toolkits since these
 * are theirs.
 */
import type * as z from 'zod';
import type { LedgerItem } from '#sdk/protocol/admin';
import { ledgerExportQuery, ledgerPage, listLedgerQuery, spending, spendingQuery } from '#sdk/protocol/admin-schemas';
import { parseActionId } from '#sdk/protocol/ids';
import type { Principal } from '../../accounts/principal';
import { toTime } from '../../lib/to-time';
import type { LedgerEntry, LedgerFilter, LedgerPage, LedgerTotal } from '../../store/store';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { fileStream } from './file-stream';
import { LEDGER_FILES } from './ledger-file';
import { MAX_SPENDING_DAYS, readSpendingRange } from './time-range';
import { toCallCost } from './to-call-cost';
import { toSpent } from './to-spent';
import { ownOf, shownName } from './visibility';

const EXPORT_PAGE = 1_000;

export const ledgerRoutes = [
  defineRoute({
    id: 'listLedger',
    summary: 'Entries of paid calls, newest first',
    method: 'GET',
    path: '/v1/ledger',
    access: 'person',
    query: listLedgerQuery,
    answer: ledgerPage,
    async handle({ principal, query: { limit, cursor, ...filters } }, deps: AppDeps) {
      const { entries, last } = await listEntries(principal, filters, { order: 'newest', limit, cursor }, deps);
      return { entries, ...(last !== undefined && { nextCursor: last }) };
    },
  }),
  defineRoute({
    id: 'exportLedger',
    summary: 'Entries of paid calls as a file, oldest first',
    method: 'GET',
    path: '/v1/ledger/export',
    access: 'person',
    query: ledgerExportQuery,
    stream: {
      'text/csv': 'With `format=csv`: RFC 4180, with a header line',
      'application/jsonl': 'With `format=jsonl`: one entry as in the list a line',
    },
    handle({ context, principal, query: { format, ...filters } }, deps: AppDeps) {
      const { contentType, head, line } = LEDGER_FILES[format];
      async function* texts() {
        yield head;
        for (let cursor: string | undefined; ; ) {
          const { entries, last } = await listEntries(principal, filters, { order: 'oldest', limit: EXPORT_PAGE, cursor }, deps);
          yield entries.map(line).join('');
          if (last === undefined) return;
          cursor = last;
        }
      }
      return context.body(fileStream(texts(), deps.logger, '/v1/ledger/export'), 200, {
        'content-type': contentType,
        'content-disposition': `attachment; filename="ledger.${format}"`,
      });
    },
  }),
  defineRoute({
    id: 'getSpending',
    summary: 'Costs of paid calls, added up',
    method: 'GET',
    path: '/v1/spending',
    access: 'person',
    query: spendingQuery,
    answer: spending,
    async handle({ principal, query: { by, limit, from, to, mine, ...filters } }, { store, keys, catalog, currency }: AppDeps) {
      const range = readSpendingRange({ from, to });
      // A member's spending and earnings are not added up.
      // The callers of a member's toolkit keep the names of their sessions and users.
      const isOfCallers = by === 'session' || by === 'user';
      const whose = principal.role === 'owner' ? mine : isOfCallers ? 'keys' : (mine ?? 'keys');
      const query = { ...toFilter(filters), ...range, visible: await visibleTo(principal, whose, { keys, catalog }), currency };
      const [sums, total] = await Promise.all([
        store.ledger.sums(by, { ...query, limit: by === 'day' ? MAX_SPENDING_DAYS + 1 : limit }),
        store.ledger.total(query),
      ]);
      const ofKeys = by === 'key' ? await keys.findAll(sums.map(({ name }) => name)) : undefined;
      const nameOf = (id: string) => (by === 'toolkit' ? catalog.toolkit(id)?.name : shownName(ofKeys?.get(id), principal));
      return {
        from: toTime(range.from),
        to: toTime(range.to),
        currency,
        total: toSum(total),
        items: sums.map((sum) => {
          const name = nameOf(sum.name);
          return { id: sum.name, ...(name !== undefined && { name }), ...toSum(sum) };
        }),
      };
    },
  }),
] as const;

type Filters = Omit<z.output<typeof listLedgerQuery>, 'limit' | 'cursor'>;
type Mine = Filters['mine'];

/** Returns one page of the entries that the principal may see. `last` is the cursor of the next page. */
async function listEntries(
  principal: Principal,
  { mine, from, to, ...filters }: Filters,
  { limit, ...page }: Pick<LedgerPage, 'order' | 'cursor' | 'limit'>,
  { store, keys, catalog }: Pick<AppDeps, 'store' | 'keys' | 'catalog'>,
): Promise<{ entries: LedgerItem[]; last: string | undefined }> {
  const found = await store.ledger.list({
    ...toFilter(filters),
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    visible: await visibleTo(principal, mine, { keys, catalog }),
    ...page,
    limit: limit + 1,
  });
  const shown = found.slice(0, limit);
  const byId = await keys.findAll(shown.map(({ agentKeyId }) => agentKeyId));
  return {
    entries: shown.map((entry) => toItem(entry, shownName(byId.get(entry.agentKeyId), principal))),
    last: found.length > limit ? shown.at(-1)?.invocationId : undefined,
  };
}

function toFilter({ key, toolkit, action }: Pick<Filters, 'key' | 'toolkit' | 'action'>): LedgerFilter {
  return { agentKeyId: key, toolkit, action };
}

/** @param mine absent: all that the principal may see */
async function visibleTo(
  principal: Principal,
  mine: Mine,
  { keys, catalog }: Pick<AppDeps, 'keys' | 'catalog'>,
): Promise<LedgerFilter['visible']> {
  if (mine === undefined && principal.role === 'owner') return undefined;
  const own = await ownOf(principal, keys);
  const toolkits = own.toolkits.flatMap((id) => {
    // Earlier entries belong to a removed toolkit with the same id.
    const since = catalog.toolkit(id)?.createdAt;
    return since === undefined ? [] : [{ id, since }];
  });
  return { agentKeyIds: mine === 'toolkits' ? [] : own.agentKeyIds, toolkits: mine === 'keys' ? [] : toolkits };
}

function toItem(
  { invocationId, agentKeyId, action, heldAt, bookedAt, settledAt, ...amounts }: LedgerEntry,
  name: string | undefined,
): LedgerItem {
  return {
    invocationId,
    key: { id: agentKeyId, ...(name !== undefined && { name }) },
    toolkit: parseActionId(action)?.toolkitId ?? '',
    action,
    ...toCallCost(amounts),
    heldAt: toTime(heldAt),
    ...(bookedAt !== null && { bookedAt: toTime(bookedAt) }),
    ...(settledAt !== null && { settledAt: toTime(settledAt) }),
  };
}

function toSum({ calls, ...spent }: LedgerTotal) {
  return { calls, ...toSpent(spent) };
}
