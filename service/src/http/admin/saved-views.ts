/** `/v1/views`: filters of lists that people keep under a name. A member's are private; an owner may share theirs with everybody. */
import type { SavedView } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import { changeViewRequest, newViewRequest, savedView, savedViewsPage } from '#sdk/protocol/saved-view-schemas';
import type { Principal } from '../../accounts/principal';
import { randomBase62 } from '../../keys/base62';
import type { SavedViewRecord } from '../../store/saved-view-store';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';

const MOST_OF_PERSON = 50;

export const savedViewRoutes = [
  defineRoute({
    id: 'listViews',
    summary: "List one's own saved views, and the shared ones",
    method: 'GET',
    path: '/v1/views',
    access: 'person',
    answer: savedViewsPage,
    async handle({ principal }, { store }: AdminRouteDeps) {
      const views = await store.savedViews.list(principal.id);
      const isForeign = views.some(({ ownerId }) => ownerId !== principal.id);
      const people = isForeign ? await store.accounts.list() : [];
      const names = new Map(people.map(({ id, name }) => [id, name]));
      return { views: views.map((view) => shown(view, principal, names)) };
    },
  }),
  defineRoute({
    id: 'saveView',
    summary: 'Save a view',
    method: 'POST',
    path: '/v1/views',
    access: 'person',
    body: newViewRequest,
    answer: savedView,
    status: 201,
    async handle({ principal, body: { page, name, query, shared = false } }, { store }: AdminRouteDeps) {
      if (principal.kind !== 'person')
        throw new SvcError('NOT_PERMITTED', 'Views belong to people: sign in to the console, or open the page by its address');
      requireShareRight(principal, shared);
      // The check is not atomic, so concurrent requests may exceed the limit slightly; it only bounds the store.
      if ((await store.savedViews.count(principal.id)) >= MOST_OF_PERSON)
        throw new SvcError('NOT_PERMITTED', `A person may have ${MOST_OF_PERSON} saved views: delete some of yours`);
      const view = { id: `view_${randomBase62(16)}`, ownerId: principal.id, page, name, query, shared, createdAt: Date.now() };
      await store.savedViews.insert(view);
      return shown(view, principal);
    },
  }),
  defineRoute({
    id: 'changeView',
    summary: 'Change a saved view',
    method: 'PATCH',
    path: '/v1/views/{id}',
    access: 'person',
    body: changeViewRequest,
    answer: savedView,
    async handle({ principal, params, body }, { store }: AdminRouteDeps) {
      const view = await requireOwnView(principal, params.id, store);
      requireShareRight(principal, body.shared === true);
      await store.savedViews.change(view.id, body);
      return shown({ ...view, ...body }, principal);
    },
  }),
  defineRoute({
    id: 'deleteView',
    summary: 'Delete a saved view',
    method: 'DELETE',
    path: '/v1/views/{id}',
    access: 'person',
    async handle({ principal, params }, { store }: AdminRouteDeps) {
      const view = await requireOwnView(principal, params.id, store);
      await store.savedViews.remove(view.id);
    },
  }),
] as const;

function requireShareRight({ role }: Principal, isShared: boolean): void {
  if (isShared && role !== 'owner')
    throw new SvcError('NOT_PERMITTED', 'Only owners may share a view with everybody: leave shared out, and ask one of them');
}

/** One's own; for an owner and an admin key any shared one too. */
async function requireOwnView(principal: Principal, id: string, { savedViews }: AdminRouteDeps['store']): Promise<SavedViewRecord> {
  const view = await savedViews.find(id);
  if (view && (view.ownerId === principal.id || (view.shared && principal.role === 'owner'))) return view;
  throw new SvcError('NOT_FOUND', `You have no view "${id.slice(0, 100)}": the list has the ids`);
}

function shown(
  { id, ownerId, page, name, query, shared }: SavedViewRecord,
  principal: Principal,
  names?: ReadonlyMap<string, string>,
): SavedView {
  const mine = ownerId === principal.id;
  const owner = mine ? undefined : names?.get(ownerId);
  return { id, page, name, query, shared, mine, ...(owner !== undefined && { owner }) };
}
