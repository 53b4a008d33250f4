/**
 * `/v1/keys`: always for admin keys, and for people while the console is on. A member creates agent keys, and toolkit keys for their own toolkits.
 * Only owners and admin keys set budgets and the right to run code.
 * docs/protocol.md sections 7 and 10.
 */
import type { OwnedKey } from '#sdk/protocol/admin';
import { listKeysQuery, ownedKey, ownedKeysPage, rotateKeyQuery } from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import type { CreateKeyRequest } from '#sdk/protocol/http';
import { createdKey } from '#sdk/protocol/schemas';
import { requireFreshSignIn } from '../../accounts/fresh-sign-in';
import type { Principal } from '../../accounts/principal';
import { keyFacts } from '../../audit/key-facts';
import { type AppChange, type ChangedApp, toAppSettings } from '../../connections/connect/app-connects';
import { keyChange, keyChangeRefusal } from '../../keys/change-key';
import { toKeyInfo } from '../../keys/key-info';
import type { KeyRing } from '../../keys/key-ring';
import { newKey, newKeyRefusal } from '../../keys/new-key';
import { toTime } from '../../lib/to-time';
import { NOTHING_SPENT } from '../../store/over-budget';
import type { KeyRecord } from '../../store/store';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { actorOf, undoIfRoleChanged } from './authorize';
import { dayCounts } from './call-counts';
import { readKeyListQuery, writePlace } from './key-list';
import { requireBudgetRight, requireCodeRight, requireMoreKeys } from './key-rights';
import { toSpent } from './to-spent';
import { requireKey, toolkitsOf } from './visibility';

export const keyRoutes = [
  defineRoute({
    id: 'listKeys',
    summary: 'List keys',
    method: 'GET',
    path: '/v1/keys',
    access: 'person',
    query: listKeysQuery,
    answer: ownedKeysPage,
    async handle({ principal, query }, deps: AppDeps) {
      if (Object.keys(query).length === 0) {
        const visible = await deps.keys.records(principal.role === 'owner' ? undefined : principal.id);
        return { keys: await describeKeys(visible, deps), total: visible.length };
      }
      const { items, total, next } = await deps.keys.page(await readKeyListQuery(query, principal, deps));
      const keys = await describeKeys(items, deps);
      return {
        keys: query.limit === undefined ? keys : await withDay(keys, deps),
        total,
        ...(next && { nextCursor: writePlace(next) }),
      };
    },
  }),
  defineRoute({
    id: 'createKey',
    summary: 'Create a key',
    method: 'POST',
    path: '/v1/keys',
    access: 'person',
    body: newKey,
    refusal: newKeyRefusal,
    answer: createdKey,
    status: 201,
    async handle({ context, principal, body }, deps: AppDeps) {
      const { keys, audit, admin } = deps;
      if (principal.role !== 'owner' && body.kind === 'admin')
        throw new SvcError('NOT_PERMITTED', 'Only owners may create admin keys, which have the rights of an owner: ask one of them');
      requireBudgetRight(principal, body);
      requireCodeRight(principal, body);
      if (body.kind === 'admin') requireFreshSignIn(principal);
      const own = principal.role === 'owner' ? undefined : await keys.records(principal.id);
      await requireMoreKeys(principal, keys);
      const created = await keys.create(body, {
        ownerId: principal.kind === 'person' ? principal.id : await inheritedOwner(principal.id, body, keys),
        mayJoin: (toolkitId) => !own || toolkitsOf(own).includes(toolkitId),
      });
      await undoIfRoleChanged(context, principal, deps, () => keys.revoke(created.id));
      await audit.write(actorOf(principal), 'key.create', created.id, keyFacts(created));
      admin?.records.changed('keys');
      return created;
    },
  }),
  defineRoute({
    id: 'changeKey',
    summary: 'Change a key',
    method: 'PATCH',
    path: '/v1/keys/{id}',
    access: 'person',
    body: keyChange,
    refusal: keyChangeRefusal,
    answer: ownedKey,
    async handle({ principal, params, body }, deps: AppDeps) {
      const { keys, audit, admin } = deps;
      const { id } = await requireKey(principal, keys, params.id);
      requireBudgetRight(principal, body);
      requireCodeRight(principal, body);
      const { connect, ...change } = body;
      const app = connect && (await changeApp(id, connect, principal, deps));
      const { before, after } = app && Object.keys(change).length === 0 ? unchanged(await keys.require(id)) : await keys.change(id, change);
      if (before !== after)
        await audit.write(actorOf(principal), 'key.change', id, { from: keyFacts(toKeyInfo(before)), to: keyFacts(toKeyInfo(after)) });
      admin?.records.changed('keys');
      return { ...(await describeKey(after, deps)), ...(app && { connect: app }) };
    },
  }),
  defineRoute({
    id: 'rotateKey',
    summary: 'Give a key a new secret',
    method: 'POST',
    path: '/v1/keys/{id}/rotate',
    access: 'person',
    query: rotateKeyQuery,
    answer: createdKey,
    async handle({ principal, params, query: { overlapSeconds } }, { keys, audit, admin }: AppDeps) {
      const { id, kind } = await requireKey(principal, keys, params.id);
      if (kind === 'admin') requireFreshSignIn(principal);
      const rotated = await keys.rotate(id, overlapSeconds * 1_000);
      const { formerSecretUntil } = rotated;
      await audit.write(actorOf(principal), 'key.rotate', id, { ...keyFacts(rotated), ...(formerSecretUntil && { formerSecretUntil }) });
      admin?.records.changed('keys');
      return rotated;
    },
  }),
  defineRoute({
    id: 'revokeKey',
    summary: 'Revoke a key',
    method: 'DELETE',
    path: '/v1/keys/{id}',
    access: 'person',
    async handle({ principal, params }, { keys, audit, admin }: AppDeps) {
      const key = await requireKey(principal, keys, params.id);
      await keys.revoke(key.id);
      // A second revocation changes nothing.
      if (key.revokedAt !== null) return;
      await audit.write(actorOf(principal), 'key.revoke', key.id, keyFacts(toKeyInfo(key)));
      admin?.records.changed('keys');
    },
  }),
] as const;

type KeyListDeps = Pick<AppDeps, 'store' | 'clusterStatus'>;

/** The connect page and the webhook of an app. */
async function changeApp(
  id: string,
  change: AppChange,
  principal: Principal,
  { keys, audit, openConnections }: AppDeps,
): Promise<ChangedApp> {
  const { kind } = await keys.require(id);
  if (kind !== 'agent') throw new SvcError('INVALID_REQUEST', `connect is for agent keys, this is of kind "${kind}": leave it out`);
  const { apps } = await openConnections();
  const from = await apps.get(id);
  const { webhookSecret, ...to } = await apps.change(id, change);
  await audit.write(actorOf(principal), 'key.change', id, { from: { connect: from }, to: { connect: to } });
  return { ...to, ...(webhookSecret !== undefined && { webhookSecret }) };
}

function unchanged(record: KeyRecord): { before: KeyRecord; after: KeyRecord } {
  return { before: record, after: record };
}

async function describeKeys(records: readonly KeyRecord[], deps: KeyListDeps): Promise<OwnedKey[]> {
  const agentKeyIds = records.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  const toolkitIds = [...new Set(records.flatMap(({ toolkitId }) => toolkitId ?? []))];
  const withBudget = records.filter(({ budget }) => budget !== null).map(({ id }) => id);
  const now = Date.now();
  const [names, lastCalls, spent, apps, { nodes }] = await Promise.all([
    ownerNames(deps),
    deps.store.invocations.lastCalls(agentKeyIds),
    deps.store.ledger.spent(withBudget, now),
    deps.store.connect.apps(agentKeyIds),
    toolkitIds.length > 0 ? deps.clusterStatus.activity({ toolkitIds, processes: true }) : { nodes: [] },
  ]);
  const settings = new Map(apps.map((app) => [app.keyId, toAppSettings(app)]));
  const connected = new Set(nodes.flatMap(({ processes }) => processes.map(({ keyId }) => keyId)));
  return records.map((record) => {
    const ownerName = record.ownerId === null ? undefined : names.get(record.ownerId);
    const connect = settings.get(record.id);
    const lastUsedAt = connected.has(record.id) ? now : lastCalls.get(record.id);
    return {
      ...toKeyInfo(record),
      ...(record.ownerId !== null && ownerName !== undefined && { owner: { id: record.ownerId, name: ownerName } }),
      ...(record.clientId !== null && { app: true as const }),
      ...(connect && { connect }),
      ...(lastUsedAt !== undefined && { lastUsedAt: toTime(lastUsedAt) }),
      ...(record.budget !== null && { spentToday: toSpent(spent.get(record.id) ?? NOTHING_SPENT) }),
    };
  });
}

async function withDay(keys: readonly OwnedKey[], { store }: KeyListDeps): Promise<OwnedKey[]> {
  const agentKeyIds = keys.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  const days = await dayCounts(store.counts, 'key', agentKeyIds);
  return keys.map((key) => {
    const day = days.get(key.id);
    return day ? { ...key, day } : key;
  });
}

async function describeKey(record: KeyRecord, deps: KeyListDeps): Promise<OwnedKey> {
  const [described] = await describeKeys([record], deps);
  if (!described) throw new Error(`No description of key ${record.id}`);
  return described;
}

async function ownerNames({ store }: Pick<AppDeps, 'store'>): Promise<ReadonlyMap<string, string>> {
  return new Map((await store.accounts.list()).map(({ id, name }) => [id, name]));
}

/** An admin key that another admin key creates gets the same owner, so that it does not outlive the owner's role. */
async function inheritedOwner(keyId: string, { kind }: Pick<CreateKeyRequest, 'kind'>, keys: KeyRing): Promise<string | null> {
  return kind === 'admin' ? ((await keys.find(keyId))?.ownerId ?? null) : null;
}
