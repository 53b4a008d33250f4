/** `/v1/approvals`: calls that a person has to decide about. Served while the console is off too. docs/protocol.md section 12. */
import {
  approvalDetails,
  approvalsPage,
  approvalWebhook,
  changeApprovalWebhook,
  changedApprovalWebhook,
  decidedApproval,
  decideRequest,
  listApprovalsQuery,
} from '#sdk/protocol/approval-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import type { Principal } from '../../accounts/principal';
import { toApprovalInfo } from '../../approvals/approval-info';
import { actionInfo } from '../../catalog/action-info';
import type { CallingKey } from '../../keys/agent-tokens';
import { toTime } from '../../lib/to-time';
import type { CallApprovalRecord } from '../../store/approval-store';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { actorOf } from './authorize';
import { requireSeen, seesKey, visibleTo } from './visibility';

const HISTORY_MS = 30 * 86_400_000;

export const approvalRoutes = [
  defineRoute({
    id: 'listApprovals',
    summary: 'List calls that a person has to decide about',
    method: 'GET',
    path: '/v1/approvals',
    access: 'person',
    query: listApprovalsQuery,
    answer: approvalsPage,
    async handle({ principal, query: { status, key, standing, limit, cursor } }, deps: AppDeps) {
      const visible = await visibleTo(principal, deps.keys);
      const agentKeyIds = key === undefined ? visible?.agentKeyIds : seesKey(visible, key) ? [key] : [];
      const statuses = status && [status];
      const found = await deps.store.approvals.list({
        agentKeyIds,
        statuses,
        standing: standing !== undefined,
        limit: limit + 1,
        before: cursor,
      });
      const some = found.slice(0, limit);
      const keysById = await deps.keys.findAll(some.map(({ agentKeyId }) => agentKeyId));
      // Each payload may have a megabyte.
      const approvals = some.map((record) => toApprovalInfo(record, keysById.get(record.agentKeyId), undefined));
      const last = approvals.at(-1);
      return { approvals, ...(found.length > limit && last && { nextCursor: last.id }) };
    },
  }),
  defineRoute({
    id: 'getApprovalWebhook',
    summary: 'Show the webhook of approvals',
    method: 'GET',
    path: '/v1/approvals/webhook',
    access: { owner: 'see the webhook of approvals' },
    answer: approvalWebhook,
    async handle(_, deps: AppDeps) {
      const url = await deps.approvalWebhook.url();
      return url === undefined ? {} : { url };
    },
  }),
  defineRoute({
    id: 'changeApprovalWebhook',
    summary: 'Set or remove the webhook of approvals, whose signed answers decide',
    method: 'PUT',
    path: '/v1/approvals/webhook',
    access: { owner: 'change the webhook of approvals' },
    body: changeApprovalWebhook,
    answer: changedApprovalWebhook,
    async handle({ principal, body: { url } }, deps: AppDeps) {
      requireFreshSignIn(principal);
      const changed = url === null ? {} : await deps.approvalWebhook.set(url);
      if (url === null) await deps.approvalWebhook.remove();
      await deps.audit.write(actorOf(principal), 'approval.webhook', 'approvals', url === null ? {} : { host: new URL(url).host });
      return changed;
    },
  }),
  defineRoute({
    id: 'getApproval',
    summary: 'Show a call that a person has to decide about',
    method: 'GET',
    path: '/v1/approvals/{id}',
    access: 'person',
    answer: approvalDetails,
    async handle({ principal, params }, deps: AppDeps) {
      const record = await requireApproval(params.id, { principal }, deps);
      const { keys, store, catalog } = deps;
      const key = await keys.find(record.agentKeyId);
      const owner = key?.ownerId ? await store.accounts.find(key.ownerId) : undefined;
      const action = catalog.action(record.action);
      const { lastAt, ...history } = await store.approvals.history(record.agentKeyId, record.action, HISTORY_MS);
      return {
        ...toApprovalInfo(record, key, deps.approvals.payloadOf(record)),
        ask: { ...(key?.clientId && { app: key.name }), ...(owner && { owner: { id: owner.id, name: owner.name } }) },
        ...(action && action.held === undefined && { offered: actionInfo(record.action, action) }),
        history: { ...history, ...(lastAt !== null && { lastAt: toTime(lastAt) }) },
      };
    },
  }),
  defineRoute({
    id: 'decideApproval',
    summary: 'Approve or deny a call; the agent key of the call may, where its rule says so',
    method: 'POST',
    path: '/v1/approvals/{id}',
    access: 'person or agent key',
    body: decideRequest,
    answer: decidedApproval,
    async handle({ principal, key, params, body }, deps: AppDeps) {
      const record = await requireApproval(params.id, { principal, key }, deps);
      if (key && record.decider !== 'app')
        throw new SvcError('NOT_PERMITTED', 'A person decides about this call, and not the app that makes it');
      const actor = key ? ({ kind: 'key', id: key.id, name: key.name } as const) : actorOf(principal as Principal);
      await deps.decisions.decide(record, body, actor);
      const decided = (await deps.store.approvals.find(record.id)) ?? record;
      return toApprovalInfo(decided, await deps.keys.find(record.agentKeyId), deps.approvals.payloadOf(decided));
    },
  }),
  defineRoute({
    id: 'endApproval',
    summary: 'End the approval of later calls of a session',
    method: 'DELETE',
    path: '/v1/approvals/{id}',
    access: 'person',
    async handle({ principal, params }, deps: AppDeps) {
      const record = await requireApproval(params.id, { principal }, deps);
      await deps.decisions.endSession(record, actorOf(principal));
    },
  }),
] as const;

/** Rejects with NOT_FOUND for a missing one, and for those of keys that the asker does not see. */
async function requireApproval(
  id: string,
  { principal, key }: { principal?: Principal | undefined; key?: CallingKey | undefined },
  { store, keys }: Pick<AppDeps, 'store' | 'keys'>,
): Promise<CallApprovalRecord> {
  const record = await store.approvals.find(id);
  const isSeen = async ({ agentKeyId }: CallApprovalRecord) =>
    principal ? seesKey(await visibleTo(principal, keys), agentKeyId) : agentKeyId === key?.id;
  requireSeen(record !== undefined && (await isSeen(record)), 'approval', id);
  return record;
}
