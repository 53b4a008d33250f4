/** `GET /v1/actions`, `GET /v1/toolkits`: the part of the catalogue that the key may use. docs/protocol.md section 4. */
import { SvcError } from '#sdk/protocol/errors';
import { type CatalogToolkit, PATHS } from '#sdk/protocol/http';
import { actionsPage, actionsQuery, catalogAction, catalogToolkit, toolkitsPage, toolkitsQuery } from '#sdk/protocol/schemas';
import { toolkitNotFound } from '../catalog/toolkit-not-found';
import { mayFind } from '../keys/may-find';
import type { KeyRecord, ToolkitRecord } from '../store/store';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { type CatalogDeps, describeOffered } from './describe-offered';
import { page, pageAfter } from './page';
import { toolkitUse } from './toolkit-use';

const MAX_IDS = 200;

export const catalogRoutes = [
  defineRoute({
    id: 'listActions',
    summary: 'List actions',
    method: 'GET',
    path: PATHS.actions,
    access: 'agent',
    query: actionsQuery,
    answer: actionsPage,
    handle({ key, query: { toolkit, ids, limit, cursor } }, deps: CatalogDeps) {
      if (ids !== undefined) return { actions: splitIds(ids).map((id) => describeOffered(key, id, deps)) };
      if (toolkit !== undefined) requireVisibleToolkit(key, toolkit, deps);
      const { items, nextCursor } = page(
        deps.catalog.actionIds(toolkit).filter((id) => mayFind(key, id, deps)),
        { limit, cursor },
      );
      return { actions: items.map((id) => describeOffered(key, id, deps)), ...nextCursor };
    },
  }),
  defineRoute({
    id: 'getAction',
    summary: 'Get an action',
    method: 'GET',
    path: '/v1/actions/{id}',
    access: 'agent',
    answer: catalogAction,
    handle: ({ key, params }, deps: CatalogDeps) => describeOffered(key, params.id, deps),
  }),
  defineRoute({
    id: 'listToolkits',
    summary: 'List toolkits',
    method: 'GET',
    path: PATHS.toolkits,
    access: 'agent',
    query: toolkitsQuery,
    answer: toolkitsPage,
    async handle({ key, query: { sort, ...place } }, deps: CatalogDeps & Pick<AppDeps, 'store'>) {
      const all = deps.catalog.toolkits().filter(({ id }) => isVisible(key, id, deps));
      const { items, nextCursor } = sort === 'use' ? pageAfter(await byUse(all, deps), place) : page(all.map(idOf), place);
      return { toolkits: items.map((id) => describeToolkit(requireVisibleToolkit(key, id, deps), deps)), ...nextCursor };
    },
  }),
  defineRoute({
    id: 'getToolkit',
    summary: 'Get a toolkit',
    method: 'GET',
    path: '/v1/toolkits/{id}',
    access: 'agent',
    answer: catalogToolkit,
    handle: ({ key, params }, deps: CatalogDeps) => describeToolkit(requireVisibleToolkit(key, params.id, deps), deps),
  }),
] as const;

const idOf = ({ id }: ToolkitRecord) => id;

/** Ids, the most used first. */
async function byUse(toolkits: readonly ToolkitRecord[], { store, online }: Pick<AppDeps, 'store' | 'online'>): Promise<string[]> {
  const use = await toolkitUse(store.counts, (id) => online.replicas(id) > 0);
  const ranked = toolkits.map((toolkit) => ({ id: toolkit.id, rank: use(toolkit) }));
  return ranked.sort((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0)).map(({ id }) => id);
}

function describeToolkit({ id, name, description }: ToolkitRecord, { catalog, online }: CatalogDeps): CatalogToolkit {
  const replicas = online.replicas(id);
  const actions = catalog.actionIds(id).filter((action) => !catalog.isHeld(action)).length;
  return { id, name, description, online: replicas > 0, replicas, actions };
}

function isVisible(key: KeyRecord, toolkitId: string, deps: CatalogDeps): boolean {
  const ids = deps.catalog.actionIds(toolkitId);
  // A toolkit that waits for approval as a whole shows no text of its own either.
  return (key.allow === null && ids.length === 0) || ids.some((id) => mayFind(key, id, deps));
}

export function requireVisibleToolkit(key: KeyRecord, id: string, deps: CatalogDeps): ToolkitRecord {
  const { catalog } = deps;
  const toolkit = catalog.toolkit(id);
  if (toolkit && isVisible(key, id, deps)) return toolkit;
  const ids = catalog.toolkits().flatMap((other) => (isVisible(key, other.id, deps) ? [other.id] : []));
  throw toolkitNotFound(id, ids);
}

function splitIds(ids: string): string[] {
  const list = [...new Set(ids.split(',').filter((id) => id !== ''))];
  if (list.length > MAX_IDS) throw new SvcError('INVALID_REQUEST', `At most ${MAX_IDS} ids at a time, not ${list.length}`);
  return list;
}
