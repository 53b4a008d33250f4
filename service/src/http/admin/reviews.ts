/** `/v1/reviews`: actions that wait for an owner's approval. docs/operations.md has the settings. */
import type { Review } from '#sdk/protocol/admin';
import {
  approveActionsRequest,
  approvedActions,
  listReviewsQuery,
  rejectActionsRequest,
  rejectedActions,
  reviewsPage,
} from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import type { Catalog } from '../../catalog/catalog';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { includesWords } from '../includes-words';
import { page } from '../page';
import { actorOf } from './authorize';
import { heldOf } from './held-of';

const access = { owner: 'review actions' } as const;

export const reviewRoutes = [
  defineRoute({
    id: 'listReviews',
    summary: 'Actions that wait for approval',
    method: 'GET',
    path: '/v1/reviews',
    access,
    query: listReviewsQuery,
    answer: reviewsPage,
    async handle({ query: { toolkit, state, q = '', ...place } }, { catalog }: AppDeps) {
      if (state === 'all' && toolkit === undefined) throw new SvcError('INVALID_REQUEST', 'state=all lists one toolkit: add toolkit=<id>');
      const ids = catalog.actionIds(toolkit).filter((id) => isInState(id, state, catalog) && hasWords(id, q, catalog));
      const { items, nextCursor } = page(ids, place);
      return { reviews: await Promise.all(items.map((id) => reviewOf(id, catalog))), total: ids.length, ...nextCursor };
    },
  }),
  defineRoute({
    id: 'approveActions',
    summary: 'Approve the texts of actions',
    method: 'POST',
    path: '/v1/reviews/approvals',
    access,
    body: approveActionsRequest,
    answer: approvedActions,
    async handle({ principal, body: { approvals } }, { catalog, audit }: AppDeps) {
      await catalog.approve(approvals);
      const byToolkit = Map.groupBy(approvals, ({ action }) => catalog.requireAction(action, () => true).toolkitId);
      for (const [toolkitId, some] of byToolkit) {
        const actions = Object.fromEntries(some.map(({ action, hash }) => [action, hash]));
        await audit.write(actorOf(principal), 'actions.approve', toolkitId, { actions });
      }
      return { approved: approvals.map(({ action }) => action) };
    },
  }),
  defineRoute({
    id: 'rejectActions',
    summary: 'Reject the texts of actions that wait for approval',
    method: 'POST',
    path: '/v1/reviews/rejections',
    access,
    body: rejectActionsRequest,
    answer: rejectedActions,
    async handle({ principal, body: { rejections, reason } }, { catalog, audit }: AppDeps) {
      await catalog.reject(rejections.map((rejected) => ({ ...rejected, reason })));
      const byToolkit = Map.groupBy(rejections, ({ action }) => catalog.requireAction(action, () => true).toolkitId);
      for (const [toolkitId, some] of byToolkit) {
        const actions = Object.fromEntries(some.map(({ action, hash }) => [action, hash]));
        await audit.write(actorOf(principal), 'actions.reject', toolkitId, { actions, reason });
      }
      return { rejected: rejections.map(({ action }) => action) };
    },
  }),
] as const;

function isInState(id: string, state: 'held' | 'rejected' | 'all', catalog: Catalog): boolean {
  const held = catalog.action(id)?.held;
  if (state === 'all') return true;
  return state === 'rejected' ? held === 'rejected' : held !== undefined && held !== 'rejected';
}

function hasWords(id: string, words: string, catalog: Catalog): boolean {
  return words === '' || includesWords(words, id, catalog.action(id)?.description ?? '');
}

async function reviewOf(id: string, catalog: Catalog): Promise<Review> {
  const { toolkitId } = catalog.requireAction(id, () => true);
  const { text, hash, approved } = catalog.textsOf(id);
  const approvedText = await catalog.lastApprovedText(id);
  const toolkit = catalog.toolkit(toolkitId);
  const findings = toolkit ? catalog.findings(toolkit) : [];
  return {
    action: id,
    toolkit: toolkitId,
    ...heldOf(id, catalog),
    approved,
    hash,
    text,
    ...(approvedText !== undefined && { approvedText }),
    findings: findings.filter(({ severity, action }) => severity === 'error' && (action === undefined || action === id)),
  };
}
