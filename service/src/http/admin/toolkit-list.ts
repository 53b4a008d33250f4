/** Filter, order and pages of the list of toolkits. */
import type { CallCounts, ToolkitReportsPage, ToolkitSort } from '#sdk/protocol/admin';
import type { ConnectionSource } from '#sdk/protocol/connections';
import type { ToolkitRecord } from '../../store/store';
import { includesWords } from '../includes-words';
import { page, pageAfter } from '../page';

export interface ToolkitListQuery {
  q?: string | undefined;
  state?: 'online' | 'offline' | undefined;
  /** Only toolkits of the principal. */
  mine?: boolean | undefined;
  /** Only toolkits that ask for an account from there. */
  auth?: ConnectionSource | undefined;
  sort: ToolkitSort;
  order: 'asc' | 'desc';
  limit: number;
  cursor?: string | undefined;
}

/** Facts about a toolkit, loaded only if the sort order needs them. */
export interface ToolkitFacts {
  isMine(id: string): boolean;
  replicas(id: string): number;
  actions(id: string): number;
  hints(toolkit: ToolkitRecord): number;
  days(ids: readonly string[]): Promise<Map<string, CallCounts>>;
  lastSeen(ids: readonly string[]): Promise<Map<string, number>>;
  use(): Promise<(toolkit: ToolkitRecord) => string>;
}

export interface ToolkitList {
  items: ToolkitRecord[];
  counts: ToolkitReportsPage['counts'];
  nextCursor: { nextCursor?: string };
}

/** @param toolkits in the order of their ids */
export async function listToolkits(
  toolkits: readonly ToolkitRecord[],
  { q = '', state, mine, auth, sort, order, limit, cursor }: ToolkitListQuery,
  facts: ToolkitFacts,
): Promise<ToolkitList> {
  const fitting = toolkits.filter(
    ({ id, name, description, auth: asked }) =>
      (!mine || facts.isMine(id)) && (auth === undefined || asked?.from === auth) && includesWords(q, id, name, description),
  );
  const byState = Map.groupBy(fitting, ({ id }) => (facts.replicas(id) > 0 ? 'online' : 'offline'));
  const [online, offline] = [byState.get('online') ?? [], byState.get('offline') ?? []];
  const listed = state === undefined ? fitting : (byState.get(state) ?? []);
  const byId = new Map(listed.map((toolkit) => [toolkit.id, toolkit]));
  const ids = await inOrder(listed, sort, order, facts);
  const { items, nextCursor } = sort === 'id' && order === 'asc' ? page(ids, { limit, cursor }) : pageAfter(ids, { limit, cursor });
  return {
    items: items.flatMap((id) => byId.get(id) ?? []),
    counts: { all: fitting.length, online: online.length, offline: offline.length },
    nextCursor,
  };
}

async function inOrder(
  toolkits: readonly ToolkitRecord[],
  sort: ToolkitSort,
  order: 'asc' | 'desc',
  facts: ToolkitFacts,
): Promise<string[]> {
  const rank = await rankBy(sort, toolkits, facts);
  const sign = order === 'desc' ? -1 : 1;
  // Equal toolkits are in the order of their ids, in both directions.
  return toolkits
    .map((toolkit) => ({ id: toolkit.id, rank: rank(toolkit) }))
    .sort((one, other) => sign * compare(one.rank, other.rank))
    .map(({ id }) => id);
}

async function rankBy(
  sort: ToolkitSort,
  toolkits: readonly ToolkitRecord[],
  facts: ToolkitFacts,
): Promise<(toolkit: ToolkitRecord) => string | number> {
  const mine = toolkits.map(({ id }) => id).filter((id) => facts.isMine(id));
  switch (sort) {
    case 'id':
      return ({ id }) => id;
    case 'name':
      return ({ name }) => name.toLowerCase();
    case 'mine':
      return ({ id, name }) => `${facts.isMine(id) ? 0 : 1}${name.toLowerCase()}`;
    case 'use':
      return facts.use();
    case 'actions':
      return ({ id }) => facts.actions(id);
    case 'hints':
      return (toolkit) => facts.hints(toolkit);
    case 'lastSeen': {
      const seen = await facts.lastSeen(mine);
      return ({ id }) => (facts.replicas(id) > 0 ? Number.POSITIVE_INFINITY : (seen.get(id) ?? -1));
    }
    default: {
      const days = await facts.days(mine);
      const number = { calls: 'calls', errors: 'errors', p95: 'p95Ms' } as const;
      return ({ id }) => days.get(id)?.[number[sort]] ?? -1;
    }
  }
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
