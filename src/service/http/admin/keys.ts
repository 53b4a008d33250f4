/**
 * `/v1/keys`: for admin keys always, and for people while the console is on. A member makes agent keys, and toolkit keys for toolkits of their own.
 * docs/protocol.md sections 7 and 10.
 */
import { Hono } from 'hono';
import * as z from 'zod';
import type { ChangeKeyRequest, OwnedKey, OwnedKeysPage } from '../../../protocol/admin';
import { keysQuery } from '../../../protocol/admin-schemas';
import { SvcError } from '../../../protocol/errors';
import { type CreatedKey, type CreateKeyRequest, PATHS } from '../../../protocol/http';
import { keyFacts } from '../../audit/key-facts';
import { toKeyInfo } from '../../keys/key-info';
import { isActive } from '../../keys/key-ring';
import { parseOrThrow } from '../../lib/parse';
import { toTime } from '../../lib/to-time';
import type { KeyRecord } from '../../store/store';
import type { AppDeps } from '../app-deps';
import { type AdminEnv, actorOf, changeBody, signedIn, undoIfChanged } from './admin-env';
import { listKeys } from './key-list';
import { requireKey, toolkitsOf } from './visibility';

/** Of one member: more than a person can tell apart. */
const MAX_MEMBER_KEYS = 200;

/** The key ring reads bodies itself: the same for HTTP, the command line and programs. */
const anyBody = z.unknown() as z.ZodType<CreateKeyRequest>;
const anyChange = z.unknown() as z.ZodType<ChangeKeyRequest>;

export function keyRoutes(deps: AppDeps): Hono<AdminEnv> {
  const { keys, store, audit, admin, everywhere } = deps;
  const app = new Hono<AdminEnv>();
  const one = `${PATHS.keys}/:id` as const;
  for (const path of [PATHS.keys, one, `${one}/rotate`]) app.use(path, signedIn(deps));
  const changed = () => admin?.records.changed('keys');

  /** An admin key that an admin key makes goes with the same owner: else it would outlast their role. */
  const heirOf = async (keyId: string, { kind }: Partial<CreateKeyRequest>) =>
    kind === 'admin' ? ((await keys.find(keyId))?.ownerId ?? null) : null;

  const ownerNames = async () => new Map((await store.accounts.list()).map(({ id, name }) => [id, name]));

  const describe = async (records: readonly KeyRecord[]): Promise<OwnedKey[]> => {
    const agentKeyIds = records.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
    const toolkitIds = [...new Set(records.flatMap(({ toolkitId }) => toolkitId ?? []))];
    const [names, lastCalls, { nodes }] = await Promise.all([
      ownerNames(),
      store.invocations.lastCalls(agentKeyIds),
      toolkitIds.length > 0 ? everywhere.look({ toolkitIds, processes: true }) : { nodes: [] },
    ]);
    const holding = new Set(nodes.flatMap(({ processes }) => processes.map(({ keyId }) => keyId)));
    const now = Date.now();
    return records.map((record) => {
      const ownerName = record.ownerId === null ? undefined : names.get(record.ownerId);
      const lastUsedAt = holding.has(record.id) ? now : lastCalls.get(record.id);
      return {
        ...toKeyInfo(record),
        ...(record.ownerId !== null && ownerName !== undefined && { owner: { id: record.ownerId, name: ownerName } }),
        ...(lastUsedAt !== undefined && { lastUsedAt: toTime(lastUsedAt) }),
      };
    });
  };

  app.get(PATHS.keys, async (context) => {
    const principal = context.get('principal');
    const asked = parseOrThrow(keysQuery, context.req.query(), 'query');
    const seen = await keys.records(principal.role === 'owner' ? undefined : principal.id);
    const owners = asked.q ? await ownerNames() : new Map<string, string>();
    const { items, ...rest } = listKeys(seen, asked, ({ ownerId }) => owners.get(ownerId ?? ''));
    return context.json<OwnedKeysPage>({ keys: await describe(items), ...rest });
  });

  app.post(PATHS.keys, async (context) => {
    const principal = context.get('principal');
    const asked = await changeBody(context, anyBody, deps);
    if (principal.role !== 'owner' && asked?.kind === 'admin') {
      throw new SvcError('NOT_PERMITTED', 'Only owners may make admin keys, which may do what owners may: ask one of them');
    }
    const own = principal.role === 'owner' ? undefined : await keys.records(principal.id);
    if (own) refuseTooMany(own);
    const created = await keys.create(asked, {
      ownerId: principal.kind === 'person' ? principal.id : await heirOf(principal.id, asked),
      mayJoin: (toolkitId) => !own || toolkitsOf(own).includes(toolkitId),
    });
    await undoIfChanged(context, deps, () => keys.revoke(created.id));
    await audit.write(actorOf(principal), 'key.create', created.id, keyFacts(created));
    changed();
    return context.json<CreatedKey>(created, 201);
  });

  app.patch(one, async (context) => {
    const principal = context.get('principal');
    const { id } = await requireKey(principal, keys, context.req.param('id'));
    const { before, after } = await keys.change(id, await changeBody(context, anyChange, deps));
    await audit.write(actorOf(principal), 'key.change', id, { from: keyFacts(toKeyInfo(before)), to: keyFacts(toKeyInfo(after)) });
    changed();
    const [described] = await describe([after]);
    return context.json<OwnedKey | undefined>(described);
  });

  app.post(`${one}/rotate`, async (context) => {
    const principal = context.get('principal');
    const { id } = await requireKey(principal, keys, context.req.param('id'));
    const rotated = await keys.rotate(id);
    await audit.write(actorOf(principal), 'key.rotate', id, keyFacts(rotated));
    changed();
    return context.json<CreatedKey>(rotated);
  });

  app.delete(one, async (context) => {
    const principal = context.get('principal');
    const key = await requireKey(principal, keys, context.req.param('id'));
    await keys.revoke(key.id);
    // A second revocation changes nothing.
    if (key.revokedAt === null) {
      await audit.write(actorOf(principal), 'key.revoke', key.id, keyFacts(toKeyInfo(key)));
      changed();
    }
    return context.body(null, 204);
  });
  return app;
}

/** Of two that are made at the same time both may be the last: it is a bound on what fills up, not a number to rely on. */
function refuseTooMany(own: readonly KeyRecord[]): void {
  if (own.filter((key) => isActive(key)).length < MAX_MEMBER_KEYS) return;
  throw new SvcError('NOT_PERMITTED', `A member may have ${MAX_MEMBER_KEYS} active keys: revoke some, or ask an owner to make the key`);
}
