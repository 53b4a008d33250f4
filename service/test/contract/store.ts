/**
 * The contract of every store. An engine's test calls `storeContract` with a function that creates new, empty data.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Rule } from '#sdk/protocol/rules';
import type { Store } from '../../src/store/store';
import { accountContract } from './store-accounts';
import { alertContract } from './store-alerts';
import { approvalContract } from './store-approvals';
import { connectContract } from './store-connect';
import { connectionContract } from './store-connections';
import { countContract } from './store-counts';
import { detachedContract } from './store-detached';
import { evidenceContract } from './store-evidence';
import { invocationContract } from './store-invocations';
import { keyListContract } from './store-key-list';
import { ledgerContract } from './store-ledger';
import { listingContract } from './store-listings';
import { misfitContract } from './store-misfits';
import { oauthContract } from './store-oauth';
import { paymentContract } from './store-payments';
import { aCall, aKey, anAction, aToolkit, hashOf, OFFLINE, OK } from './store-records';
import { runsContract } from './store-runs';
import { savedViewContract } from './store-saved-views';
import { sessionSumContract } from './store-session-sums';
import { sessionContract } from './store-sessions';
import { toolkitProfileContract } from './store-toolkit-profiles';
import { vectorContract } from './store-vectors';

/** Opens one piece of data, any number of times when it lasts. */
export type OpenStore = () => Promise<Store>;

interface StoreContractOptions {
  /** The data outlive their store. */
  lasting: boolean;
}

export function storeContract(name: string, newData: () => Promise<OpenStore>, options: StoreContractOptions): void {
  const setUp = () => openNew(newData);

  describe(`${name}: keys`, () => {
    test('a stored key is read unchanged, by id and by hash', async () => {
      const { store } = await setUp();
      const key = aKey({
        allow: { toolkits: ['weather'], actions: ['maps__route'] },
        callsPerMinute: 60,
        expiresAt: 2_000_000_000_000,
        clientId: 'https://client.example/app',
      });
      await store.keys.insert(key);
      expect(await store.keys.find(key.id)).toEqual(key);
      expect(await store.keys.findByHash(key.hash)).toEqual(key);
      expect(await store.keys.find('key_nobody')).toBeUndefined();
      expect(await store.keys.findByHash('0'.repeat(64))).toBeUndefined();
    });

    test('two keys cannot have the same hash', async () => {
      const { store } = await setUp();
      const key = aKey();
      await store.keys.insert(key);
      await expect(store.keys.insert(aKey({ hash: key.hash }))).rejects.toThrow();
      expect(await store.keys.list()).toEqual([key]);
    });

    test('a person has one active key for each client, also of many inserts at once', async () => {
      const { store } = await setUp();
      const app = { ownerId: 'ada', clientId: 'https://client.example/app' };
      const same = Array.from({ length: 5 }, () => aKey(app));
      const inserted = await Promise.all(same.map((key) => store.keys.insert(key)));
      expect(inserted.filter(Boolean)).toHaveLength(1);
      const kept = same[inserted.indexOf(true)]!;
      expect(await store.keys.ofOwner('ada')).toEqual([kept]);
      for (const change of [{ ownerId: 'bob' }, { clientId: 'https://other.example/app' }, { clientId: null }, { clientId: null }])
        expect(await store.keys.insert(aKey({ ...app, ...change }))).toBe(true);
      await store.keys.revoke(kept.id, 1_000);
      expect(await store.keys.insert(aKey(app))).toBe(true);
    });

    test('keys are listed oldest first', async () => {
      const { store } = await setUp();
      const [young, old] = [aKey({ createdAt: 2_000 }), aKey({ createdAt: 1_000 })];
      await store.keys.insert(young);
      await store.keys.insert(old);
      expect(await store.keys.list()).toEqual([old, young]);
    });

    test('a second revocation keeps the first time, and a revoked key gets no new secret', async () => {
      const { store } = await setUp();
      const key = aKey();
      await store.keys.insert(key);
      expect(await store.keys.replaceHash(key.id, hashOf('new'))).toBe(true);
      expect(await store.keys.revoke(key.id, 5_000)).toBe(true);
      expect(await store.keys.revoke(key.id, 6_000)).toBe(true);
      expect(await store.keys.replaceHash(key.id, hashOf('newer'))).toBe(false);
      expect(await store.keys.find(key.id)).toEqual({ ...key, hash: hashOf('new'), revokedAt: 5_000 });
    });

    test('a former secret finds its key until a further rotation, with its own end', async () => {
      const { store } = await setUp();
      const key = aKey({ expiresAt: null });
      await store.keys.insert(key);
      expect(await store.keys.replaceHash(key.id, hashOf('new'), 5_000)).toBe(true);
      const present = { ...key, hash: hashOf('new'), former: { hash: key.hash, until: 5_000 } };
      const former = { ...present, hash: key.hash, expiresAt: 5_000, isFormer: true };
      expect([await store.keys.findByHash(hashOf('new')), await store.keys.findByHash(key.hash)]).toEqual([present, former]);
      expect(await store.keys.findAll('hash', [key.hash, hashOf('new')])).toEqual(expect.arrayContaining([present, former]));
      expect(await store.keys.find(key.id)).toEqual(present);
      expect(await store.keys.replaceHash(key.id, hashOf('newer'))).toBe(true);
      expect(await store.keys.findByHash(key.hash)).toBeUndefined();
      expect(await store.keys.findByHash(hashOf('new'))).toBeUndefined();
    });

    test('keys are found by many ids or hashes at once, and those of one account oldest first', async () => {
      const { store } = await setUp();
      const [young, old] = [aKey({ createdAt: 2_000, ownerId: 'person_1' }), aKey({ createdAt: 1_000, ownerId: 'person_1', revokedAt: 5 })];
      const [other, nobodys] = [aKey({ ownerId: 'person_2' }), aKey()];
      for (const key of [young, old, other, nobodys]) await store.keys.insert(key);
      expect(await store.keys.ofOwner('person_1')).toEqual([old, young]);
      expect(await store.keys.ofOwner('nobody')).toEqual([]);

      const many = Array.from({ length: 2_500 }, (_, index) => `none-${index}`);
      const byId = await store.keys.findAll('id', [...many, other.id, nobodys.id]);
      expect(byId.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([other, nobodys].toSorted((a, b) => a.id.localeCompare(b.id)));
      expect(await store.keys.findAll('hash', [old.hash, ...many])).toEqual([old]);
      expect(await store.keys.findAll('id', [])).toEqual([]);
    });

    test('name, allow list and limit of a key change, until it is revoked', async () => {
      const { store } = await setUp();
      const key = aKey({ ownerId: 'person_1', callsPerMinute: 5 });
      await store.keys.insert(key);
      const allow = { toolkits: ['weather'], actions: [] };
      expect(await store.keys.change(key.id, { name: 'Bob’s agent', allow })).toBe(true);
      expect(await store.keys.find(key.id)).toEqual({ ...key, name: 'Bob’s agent', allow });
      expect(await store.keys.change(key.id, { allow: null, callsPerMinute: null })).toBe(true);
      expect(await store.keys.change(key.id, {})).toBe(true);
      expect(await store.keys.findByHash(key.hash)).toEqual({ ...key, name: 'Bob’s agent', allow: null, callsPerMinute: null });
      expect(await store.keys.change('key_nobody', { name: 'x' })).toBe(false);
      await store.keys.revoke(key.id, 1);
      expect(await store.keys.change(key.id, { name: 'x' })).toBe(false);
    });

    test('the rules of a key are replaced as a whole, with their order and any JSON', async () => {
      const { store } = await setUp();
      const rules: Rule[] = [
        { match: { payload: [{ path: '/a~1b', is: { b: [1, null], a: 'é\u0000' } }] }, do: 'ask', decidedBy: 'app' },
        { match: {}, do: 'deny' },
      ];
      const key = aKey({ rules });
      await store.keys.insert(key);
      expect((await store.keys.find(key.id))?.rules).toEqual(rules);
      await store.keys.change(key.id, { name: 'same rules' });
      expect((await store.keys.findByHash(key.hash))?.rules).toEqual(rules);
      await store.keys.change(key.id, { rules: rules.toReversed() });
      expect((await store.keys.find(key.id))?.rules).toEqual(rules.toReversed());
      await store.keys.change(key.id, { rules: null });
      expect((await store.keys.find(key.id))?.rules).toBeNull();
    });

    test('the right of a key to run code is given and taken away', async () => {
      const { store } = await setUp();
      const key = aKey({ code: true });
      await store.keys.insert(key);
      expect((await store.keys.findByHash(key.hash))?.code).toBe(true);
      await store.keys.change(key.id, { name: 'the same right' });
      expect((await store.keys.find(key.id))?.code).toBe(true);
      await store.keys.change(key.id, { code: false });
      expect((await store.keys.find(key.id))?.code).toBe(false);
    });

    test('an unknown key cannot be revoked or rotated', async () => {
      const { store } = await setUp();
      expect(await store.keys.revoke('key_nobody', 1)).toBe(false);
      expect(await store.keys.replaceHash('key_nobody', hashOf('new'))).toBe(false);
    });
  });

  describe(`${name}: catalogue`, () => {
    test('all toolkits and actions are returned, or the named ones', async () => {
      const { store } = await setUp();
      for (const id of ['weather', 'maps', 'mail']) {
        await store.catalog.insertToolkit(aToolkit(id));
        await store.catalog.changeActions(id, { upsert: [{ ...anAction('now'), toolkitId: id }], remove: [] });
      }
      const named = async (ids?: string[]) => ({
        toolkits: (await store.catalog.toolkits(ids)).map(({ id }) => id),
        actions: (await store.catalog.actions(ids)).map(({ toolkitId }) => toolkitId),
      });
      expect(await named()).toEqual({ toolkits: ['mail', 'maps', 'weather'], actions: ['mail', 'maps', 'weather'] });
      expect(await named(['weather', 'unknown', 'mail'])).toEqual({ toolkits: ['mail', 'weather'], actions: ['mail', 'weather'] });
      expect(await named([])).toEqual({ toolkits: [], actions: [] });
      expect((await named(Array.from({ length: 70_000 }, (_, index) => `none-${index}`))).actions).toEqual([]);
    });

    test('a toolkit id is taken once', async () => {
      const { store } = await setUp();
      expect(await store.catalog.insertToolkit(aToolkit('weather'))).toBe(true);
      expect(await store.catalog.insertToolkit({ ...aToolkit('weather'), name: 'Other' })).toBe(false);
      expect(await store.catalog.toolkits()).toEqual([aToolkit('weather')]);
    });

    test('name and description of a toolkit change, the rest stays', async () => {
      const { store } = await setUp();
      await store.catalog.insertToolkit(aToolkit('weather'));
      await store.catalog.updateToolkit({ id: 'weather', name: 'Wetter', description: 'schön 🌤️' });
      expect(await store.catalog.toolkits()).toEqual([{ ...aToolkit('weather'), name: 'Wetter', description: 'schön 🌤️' }]);
      const named = { ...aToolkit('weather'), name: 'Sky', namedAt: 1_700_000_000_123 };
      await store.catalog.updateToolkit(named);
      expect(await store.catalog.toolkits()).toEqual([named]);
      const asking = { ...named, auth: { type: 'bearer', from: 'user', help: 'A token' } } as const;
      await store.catalog.updateToolkit(asking);
      expect(await store.catalog.toolkits()).toEqual([asking]);
    });

    test('actions are added, changed and removed in one step', async () => {
      const { store } = await setUp();
      await store.catalog.insertToolkit(aToolkit('weather'));
      await store.catalog.changeActions('weather', { upsert: [anAction('now'), anAction('tomorrow'), anAction('never')], remove: [] });
      const icons = [{ src: 'https://example.com/icon.png' }];
      const shape = { title: 'Now', resultSchema: { type: 'object' }, meta: { ui: { resourceUri: 'ui://now' } }, icons };
      const changed = {
        ...anAction('now'),
        ...shape,
        auth: false as const,
        description: 'changed',
        annotations: { readOnly: true, destructive: false },
      };
      await store.catalog.changeActions('weather', { upsert: [changed, anAction('later')], remove: ['never', 'unknown'] });
      expect(await store.catalog.actions()).toEqual([anAction('later'), changed, anAction('tomorrow')]);
    });

    test('a change that fails changes nothing', async () => {
      const { store } = await setUp();
      await store.catalog.insertToolkit(aToolkit('weather'));
      const homeless = { ...anAction('lost'), toolkitId: 'nowhere' };
      await expect(store.catalog.changeActions('weather', { upsert: [anAction('now'), homeless], remove: [] })).rejects.toThrow();
      expect(await store.catalog.actions()).toEqual([]);
    });

    test('ten thousand actions fit into one change', async () => {
      const { store } = await setUp();
      await store.catalog.insertToolkit(aToolkit('weather'));
      const many = Array.from({ length: 10_000 }, (_, index) => anAction(`action_${index}`));
      await store.catalog.changeActions('weather', { upsert: many, remove: [] });
      expect(await store.catalog.actions()).toHaveLength(10_000);
      await store.catalog.changeActions('weather', { upsert: [], remove: many.map((action) => action.name) });
      expect(await store.catalog.actions()).toEqual([]);
    });

    test('approvals are stored by hash, and removed with their toolkit', async () => {
      const { store } = await setUp();
      for (const id of ['weather', 'maps']) await store.catalog.insertToolkit(aToolkit(id));
      const approval = (toolkitId: string, hash: string, approvedAt: number) => {
        return { toolkitId, name: 'now', hash, hasShape: false, text: `{"hash":"${hash}"}`, approvedAt };
      };
      await store.catalog.approve('weather', [approval('weather', 'a', 1), approval('weather', 'b', 2)]);
      await store.catalog.approve('maps', [approval('maps', 'a', 1)]);
      expect(await store.catalog.approvals(['weather'])).toHaveLength(2);
      expect(await store.catalog.approvals(['nowhere'])).toEqual([]);
      expect(await store.catalog.lastApprovedText('weather', 'now')).toBe('{"hash":"b"}');
      await store.catalog.approve('weather', [approval('weather', 'a', 1_700_000_000_000)]);
      expect(await store.catalog.lastApprovedText('weather', 'now')).toBe('{"hash":"a"}');
      expect(await store.catalog.lastApprovedText('weather', 'never')).toBeUndefined();
      await store.catalog.removeToolkit('weather', 3);
      expect(await store.catalog.approvals()).toEqual([{ toolkitId: 'maps', name: 'now', hash: 'a', hasShape: false }]);
    });

    test('a rejection is kept with its reason until the same texts are approved, or the toolkit is removed', async () => {
      const { store } = await setUp();
      for (const id of ['weather', 'maps']) await store.catalog.insertToolkit(aToolkit(id));
      const rejection = (toolkitId: string, hash: string, reason = 'Too vague') => {
        return { toolkitId, name: 'now', hash, reason, rejectedAt: 1_700_000_000_000 };
      };
      await store.catalog.reject('weather', [rejection('weather', 'a'), rejection('weather', 'b')]);
      await store.catalog.reject('maps', [rejection('maps', 'a')]);
      await store.catalog.reject('weather', [rejection('weather', 'a', 'Says nothing')]);
      const kept = async (ids?: string[]) => (await store.catalog.rejections(ids)).sort((one, other) => (one.hash < other.hash ? -1 : 1));
      expect(await kept(['weather'])).toEqual([rejection('weather', 'a', 'Says nothing'), rejection('weather', 'b')]);
      await store.catalog.approve('weather', [{ ...rejection('weather', 'a'), hasShape: false, text: '{}', approvedAt: 2 }]);
      expect(await kept(['weather'])).toEqual([rejection('weather', 'b')]);
      await store.catalog.removeToolkit('weather', 3);
      expect(await kept()).toEqual([rejection('maps', 'a')]);
    });

    test('the callers of a toolkit get numbers that stay, one series for each toolkit', async () => {
      const { store } = await setUp();
      await store.catalog.insertToolkit(aToolkit('weather'));
      expect(await store.callers.of('weather', [])).toEqual(new Map());
      expect(await store.callers.of('weather', ['key_b', 'key_a'])).toEqual(
        new Map([
          ['key_b', 1],
          ['key_a', 2],
        ]),
      );
      const both = [store.callers.of('weather', ['key_c', 'key_a']), store.callers.of('weather', ['key_d', 'key_c'])];
      const [one, other] = await Promise.all(both);
      expect(new Set([one?.get('key_c'), other?.get('key_d')])).toEqual(new Set([3, 4]));
      expect(other?.get('key_c')).toBe(one?.get('key_c'));
      expect(await store.callers.of('maps', ['key_a'])).toEqual(new Map([['key_a', 1]]));
      await store.catalog.removeToolkit('weather', 3);
      expect(await store.callers.of('weather', ['key_a'])).toEqual(new Map([['key_a', 1]]));
    });

    test('an approval says whether its text has the shape of a result', async () => {
      const { store } = await setUp();
      await store.catalog.insertToolkit(aToolkit('weather'));
      const texts = { a: '{"description":"Says \\"resultSchema\\":"}', b: '{"resultSchema":{"type":"array"}}' };
      await store.catalog.approve(
        'weather',
        Object.entries(texts).map(([hash, text]) => ({ toolkitId: 'weather', name: 'now', hash, hasShape: false, text, approvedAt: 1 })),
      );
      const found = (await store.catalog.approvals()).map((approval) => [approval.hash, approval.hasShape] as const);
      expect(Object.fromEntries(found)).toEqual({ a: false, b: true });
    });

    test('hostile names in schemas are treated as data', async () => {
      const { store } = await setUp();
      await store.catalog.insertToolkit(aToolkit('weather'));
      const action = {
        ...anAction('now'),
        payloadSchema: JSON.parse('{"__proto__": {"polluted": true}, "title": "\'; DROP TABLE keys; --"}'),
      };
      await store.catalog.changeActions('weather', { upsert: [action], remove: [] });
      expect(JSON.stringify(await store.catalog.actions())).toBe(JSON.stringify([action]));
    });
  });

  describe(`${name}: a toolkit that is removed`, () => {
    test('is removed with its actions, counts and sightings; its keys are revoked and detached; other toolkits stay', async () => {
      const { store } = await setUp();
      const old = aKey({ kind: 'toolkit', toolkitId: 'weather', revokedAt: 5 });
      const active = aKey({ kind: 'toolkit', toolkitId: 'weather' });
      const other = aKey({ kind: 'toolkit', toolkitId: 'weather-2' });
      for (const id of ['weather', 'weather-2']) {
        await store.catalog.insertToolkit(aToolkit(id));
        await store.catalog.changeActions(id, { upsert: [{ ...anAction('now'), toolkitId: id }], remove: [] });
        for (const [dimension, counted] of [
          ['toolkit', id],
          ['action', `${id}__now`],
        ] as const)
          for (const step of [60, 3_600] as const)
            await store.counts.add([{ dimension, name: counted, step, start: 0, code: 'OK', bucket: 3, calls: 2 }]);
        await store.searches.add([{ day: 0, query: 'rain', action: `${id}__now`, searches: 1, empty: 0, used: 1, lastAt: 1 }]);
      }
      await store.searches.add([{ day: 0, query: 'rain', agentKeyIds: ['key_a'], searches: 1, empty: 0, used: 1, lastAt: 1 }]);
      await store.sightings.put([
        { toolkitId: 'weather', at: 7 },
        { toolkitId: 'weather-2', at: 8 },
      ]);
      for (const key of [old, active, other]) await store.keys.insert(key);

      expect(await store.catalog.removeToolkit('weather', 9)).toBe(true);
      await store.counts.removeToolkit('weather');
      await store.searches.removeToolkit('weather');
      await store.sightings.remove('weather');

      expect((await store.catalog.toolkits()).map(({ id }) => id)).toEqual(['weather-2']);
      expect((await store.catalog.actions()).map(({ toolkitId }) => toolkitId)).toEqual(['weather-2']);
      expect(await store.keys.find(old.id)).toEqual({ ...old, toolkitId: null });
      expect(await store.keys.find(active.id)).toEqual({ ...active, toolkitId: null, revokedAt: 9 });
      expect(await store.keys.find(other.id)).toEqual(other);
      for (const dimension of ['toolkit', 'action'] as const)
        for (const step of [60, 3_600] as const)
          expect((await store.counts.sums({ dimension, step, from: 0, to: 1 })).map(({ name }) => name)).toEqual([
            dimension === 'toolkit' ? 'weather-2' : 'weather-2__now',
          ]);
      const [search] = await store.searches.list({ limit: 1, offset: 0, unmet: false });
      expect(search).toMatchObject({ query: 'rain', searches: 1, actions: [{ action: 'weather-2__now' }] });
      expect(await store.sightings.lastSeen(['weather', 'weather-2'])).toEqual(new Map([['weather-2', 8]]));
      expect(await store.catalog.removeToolkit('weather', 10)).toBe(false);
    });

    test('was seen last at the latest time of any node', async () => {
      const { sightings } = (await setUp()).store;
      await sightings.put([]);
      await sightings.put([
        { toolkitId: 'weather', at: 7 },
        { toolkitId: 'maps', at: 1 },
      ]);
      await sightings.put([
        { toolkitId: 'weather', at: 6 },
        { toolkitId: 'maps', at: 2 ** 41 },
      ]);
      expect(await sightings.lastSeen(['maps', 'weather', 'mail'])).toEqual(
        new Map([
          ['maps', 2 ** 41],
          ['weather', 7],
        ]),
      );
      expect(await sightings.lastSeen([])).toEqual(new Map());
    });
  });

  listingContract(name, async () => (await setUp()).store);
  alertContract(name, async () => (await setUp()).store);
  misfitContract(name, async () => (await setUp()).store);
  toolkitProfileContract(name, async () => (await setUp()).store);
  evidenceContract(name, async () => (await setUp()).store);

  ledgerContract(name, newData);

  vectorContract(name, async () => (await setUp()).store);

  accountContract(name, async () => (await setUp()).store);

  countContract(name, async () => (await setUp()).store);
  savedViewContract(name, async () => (await setUp()).store);
  keyListContract(name, async () => (await setUp()).store);
  sessionContract(name, async () => (await setUp()).store);
  sessionSumContract(name, async () => (await setUp()).store);
  connectContract(name, async () => (await setUp()).store);
  approvalContract(name, async () => (await setUp()).store);
  detachedContract(name, async () => (await setUp()).store);
  runsContract(name, async () => (await setUp()).store);
  oauthContract(name, async () => (await setUp()).store);
  connectionContract(name, async () => (await setUp()).store);

  invocationContract(name, async () => (await setUp()).store);
  callContract(name, newData, options);
}

/** Records of calls: the part in which the durabilities differ. */
export function callContract(name: string, newData: () => Promise<OpenStore>, { lasting }: StoreContractOptions): void {
  const setUp = () => openNew(newData);

  paymentContract(name, newData, { lasting });

  describe(`${name}: invocations`, () => {
    test('a call is found by its idempotency key, running and ended', async () => {
      const { store } = await setUp();
      const call = aCall({ idempotencyKey: 'once' });
      expect(await store.invocations.start(call)).toBe(true);
      expect(await store.invocations.find(call.agentKeyId, 'once')).toEqual({ ...call, node: store.node, outcome: null });
      await store.invocations.end(call.id, OK);
      expect(await store.invocations.find(call.agentKeyId, 'once')).toEqual({ ...call, node: store.node, outcome: OK });
      expect(await store.invocations.find('key_other', 'once')).toBeUndefined();
    });

    test('a call is found before its start was awaited', async () => {
      const { store } = await setUp();
      const call = aCall({ idempotencyKey: 'once' });
      const started = store.invocations.start(call);
      expect(await store.invocations.find(call.agentKeyId, 'once')).toEqual({ ...call, node: store.node, outcome: null });
      const ended = store.invocations.end(call.id, OK);
      expect(await store.invocations.list({ limit: 1 })).toEqual([{ ...call, node: store.node, outcome: OK }]);
      await Promise.all([started, ended]);
    });

    test('one of many starts with one idempotency key succeeds, and other calls of the turn are not affected', async () => {
      const { store } = await setUp();
      const rivals = Array.from({ length: 20 }, () => aCall({ idempotencyKey: 'once' }));
      const others = Array.from({ length: 20 }, (_, index) => aCall({ idempotencyKey: index % 2 ? `other-${index}` : null }));
      const started = await Promise.all([...rivals, ...others].map((call) => store.invocations.start(call)));
      expect(started.slice(0, 20).filter(Boolean)).toHaveLength(1);
      expect(started.slice(20).every(Boolean)).toBe(true);
      expect(await store.invocations.start(aCall({ idempotencyKey: 'once', agentKeyId: 'key_other' }))).toBe(true);
    });

    test('start and end accept a callback instead of a promise', async () => {
      const { store } = await setUp();
      for (const idempotencyKey of ['once', null]) {
        const call = aCall({ idempotencyKey });
        const told: unknown[][] = [];
        await new Promise<void>((resolve) =>
          store.invocations.start(call, (...started) => {
            told.push(started);
            store.invocations.end(call.id, OK, (...ended) => {
              told.push(ended);
              resolve();
            });
          }),
        );
        const outcome = idempotencyKey === null ? { ...OK, body: null } : OK;
        expect(told).toEqual([
          [undefined, true],
          [undefined, outcome],
        ]);
        expect(await store.invocations.get(call.id)).toEqual({ ...call, node: store.node, outcome });
      }
      const taken = await new Promise((resolve) => store.invocations.start(aCall({ idempotencyKey: 'once' }), (...told) => resolve(told)));
      expect(taken).toEqual([undefined, false]);
      const lost = await new Promise((resolve) => store.invocations.end('inv_lost', OK, resolve));
      expect(lost).toMatchObject({ code: 'INTERNAL' });
    });

    test.each([
      ['a second outcome replaces the first', 'ACTION_FAILED', 'OK', 'OK'],
      ['a known outcome replaces an unknown one', 'OUTCOME_UNKNOWN', 'OK', 'OK'],
      ['an unknown outcome replaces nothing', 'OK', 'OUTCOME_UNKNOWN', 'OK'],
      ['that it was given up replaces nothing', 'OK', 'INVOCATION_TIMEOUT', 'OK'],
      ['what came after it was given up replaces that', 'INVOCATION_CANCELLED', 'OK', 'OK'],
      ['an unknown outcome does not replace itself', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'],
    ])('%s, and the end returns the final outcome', async (_, first, second, stands) => {
      const { store } = await setUp();
      for (const idempotencyKey of ['once', null]) {
        const call = aCall({ idempotencyKey });
        await store.invocations.start(call);
        const outcomeOf = (code: string, endedAt: number) => ({ code, body: idempotencyKey && `"${endedAt}"`, endedAt });
        await store.invocations.end(call.id, outcomeOf(first, 1));
        const told = await store.invocations.end(call.id, outcomeOf(second, 2));
        expect(told).toEqual(outcomeOf(stands, second === stands && first !== stands ? 2 : 1));
        expect(await store.invocations.get(call.id)).toEqual({ ...call, node: store.node, outcome: told });
        expect(await store.invocations.list({ limit: 1_000 })).toContainEqual({ ...call, node: store.node, outcome: told });
      }
    });

    test('the known one of two concurrent outcomes is kept, in any order', async () => {
      const { store } = await setUp();
      for (const codes of [
        ['OK', 'OUTCOME_UNKNOWN'],
        ['OUTCOME_UNKNOWN', 'OK'],
      ]) {
        const call = aCall({ idempotencyKey: randomUUID() });
        await store.invocations.start(call);
        const told = await Promise.all(codes.map((code) => store.invocations.end(call.id, { ...OK, code })));
        expect(told[1]).toEqual(OK);
        expect((await store.invocations.get(call.id))?.outcome).toEqual(OK);
      }
    });

    test('a call is read by its id, running and ended, with and without an idempotency key', async () => {
      const { store } = await setUp();
      for (const call of [aCall(), aCall({ idempotencyKey: 'once' })]) {
        await store.invocations.start(call);
        expect(await store.invocations.get(call.id)).toEqual({ ...call, node: store.node, outcome: null });
        await store.invocations.end(call.id, OK);
        const outcome = { ...OK, body: call.idempotencyKey === null ? null : OK.body };
        expect(await store.invocations.get(call.id)).toEqual({ ...call, node: store.node, outcome });
      }
      expect(await store.invocations.get('inv_nobody')).toBeUndefined();
    });

    test('only named calls without an outcome are taken', async () => {
      const { store } = await setUp();
      const [keyed, unkeyed, ended, endedKeyed, other] = [
        aCall({ idempotencyKey: 'a' }),
        aCall(),
        aCall(),
        aCall({ idempotencyKey: 'b' }),
        aCall(),
      ];
      for (const call of [keyed, unkeyed, ended, endedKeyed, other]) await store.invocations.start(call);
      for (const { id } of [ended, endedKeyed]) await store.invocations.end(id, OK);
      const taken = await store.invocations.take([keyed.id, unkeyed.id, ended.id, endedKeyed.id, 'inv_nobody']);
      expect(taken).toHaveLength(2);
      for (const call of [keyed, unkeyed]) expect(taken).toContainEqual({ ...call, node: store.node, outcome: null });
      expect(await store.invocations.take([])).toEqual([]);
    });

    test('calls of a live node are not abandoned', async () => {
      const { store } = await setUp();
      for (const idempotencyKey of ['once', null]) await store.invocations.start(aCall({ idempotencyKey }));
      expect(await store.invocations.takeAbandoned()).toEqual([]);
    });

    test('settled calls are in the records', async () => {
      const { store } = await setUp();
      const calls = Array.from({ length: 20 }, (_, index) => aCall({ idempotencyKey: index % 2 ? `once-${index}` : null }));
      await Promise.all(calls.map((call) => store.invocations.start(call)));
      const ended = Promise.all(calls.map(({ id }) => store.invocations.end(id, OK)));
      await store.invocations.settled();
      expect((await store.invocations.list({ limit: 50 })).map(({ outcome }) => outcome?.code)).toEqual(Array(20).fill('OK'));
      await ended;
    });

    test('an end without a start is an error that names the invocation, and spares the other calls of its turn', async () => {
      const { store } = await setUp();
      const call = aCall();
      const [lost, started] = await Promise.allSettled([store.invocations.end('inv_lost', OK), store.invocations.start(call)]);
      expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'INTERNAL', message: expect.stringContaining('inv_lost') } });
      expect(started).toEqual({ status: 'fulfilled', value: true });
      expect(await store.invocations.get(call.id)).toMatchObject({ outcome: null });
    });

    test('a body is kept only with an idempotency key', async () => {
      const { store } = await setUp();
      const call = aCall();
      await store.invocations.start(call);
      await store.invocations.end(call.id, OK);
      expect(await store.invocations.list({ limit: 1 })).toEqual([{ ...call, node: store.node, outcome: { ...OK, body: null } }]);
    });

    test('a refused call is recorded and frees its idempotency key', async () => {
      const { store } = await setUp();
      const refused = aCall({ idempotencyKey: 'again' });
      store.invocations.refused(refused, OFFLINE);
      expect(await store.invocations.find(refused.agentKeyId, 'again')).toBeUndefined();
      expect(await store.invocations.list({ limit: 1 })).toEqual([
        { ...refused, idempotencyKey: null, node: store.node, outcome: OFFLINE },
      ]);
      expect(await store.invocations.start(aCall({ idempotencyKey: 'again' }))).toBe(true);
    });

    test('a call may start while the refusal of the one before it is being committed', async () => {
      const { store } = await setUp();
      const call = aCall({ idempotencyKey: 'again' });
      await store.invocations.start(call);
      store.invocations.refused(call, OFFLINE);
      expect(await store.invocations.start(aCall({ idempotencyKey: 'again' }))).toBe(true);
    });

    test('a call that was started and never dispatched frees its idempotency key', async () => {
      const { store } = await setUp();
      const call = aCall({ idempotencyKey: 'again' });
      await store.invocations.start(call);
      store.invocations.refused(call, OFFLINE);
      expect(await store.invocations.find(call.agentKeyId, 'again')).toBeUndefined();
      expect(await store.invocations.start(aCall({ idempotencyKey: 'again' }))).toBe(true);
      expect(await store.invocations.list({ limit: 9 })).toContainEqual({
        ...call,
        idempotencyKey: null,
        node: store.node,
        outcome: OFFLINE,
      });
    });

    test('calls are listed newest first', async () => {
      const { store } = await setUp();
      const calls = [3, 1, 4, 2].map((at) => aCall({ id: `inv_${at}`, startedAt: at }));
      await Promise.all(calls.map((call) => store.invocations.start(call)));
      const times = async (limit: number) => (await store.invocations.list({ limit })).map((call) => call.startedAt);
      expect(await times(10)).toEqual([4, 3, 2, 1]);
      expect(await times(2)).toEqual([4, 3]);
    });

    test('any number of old idempotency keys and bodies is removed; the records stay', async () => {
      const { store } = await setUp();
      const old = Array.from({ length: 1_234 }, (_, index) =>
        aCall({ id: `inv_1_${index}`, idempotencyKey: `old-${index}`, startedAt: 1_000 }),
      );
      const fresh = aCall({ id: 'inv_2', idempotencyKey: 'fresh', startedAt: 2_000 });
      await Promise.all([...old, fresh].map((call) => store.invocations.start(call)));
      await Promise.all(old.map((call) => store.invocations.end(call.id, { ...OK, endedAt: 1_500 })));
      await store.invocations.end(fresh.id, OK);

      expect(await store.invocations.forgetKeys(2_000)).toBe(1_234);
      expect(await store.invocations.forgetKeys(2_000)).toBe(0);
      expect(await store.invocations.find(fresh.agentKeyId, 'fresh')).toEqual({ ...fresh, node: store.node, outcome: OK });
      expect(await store.invocations.find(fresh.agentKeyId, 'old-7')).toBeUndefined();
      const records = await store.invocations.list({ limit: 2_000 });
      expect(records).toHaveLength(1_235);
      expect(records.at(-1)?.outcome).toEqual({ ...OK, endedAt: 1_500, body: null });
      expect(await store.invocations.start(aCall({ idempotencyKey: 'old-7' }))).toBe(true);
    });

    test('a call that runs keeps its idempotency key, and a result is kept from its end', async () => {
      const { store } = await setUp();
      const [running, ended] = [
        aCall({ idempotencyKey: 'running', startedAt: 1_000 }),
        aCall({ idempotencyKey: 'ended', startedAt: 1_000 }),
      ];
      await Promise.all([running, ended].map((call) => store.invocations.start(call)));
      await store.invocations.end(ended.id, { ...OK, endedAt: 5_000 });
      expect(await store.invocations.forgetKeys(5_000)).toBe(0);
      expect(await store.invocations.find(running.agentKeyId, 'running')).toMatchObject({ id: running.id, outcome: null });
      expect(await store.invocations.find(ended.agentKeyId, 'ended')).toMatchObject({ outcome: { body: OK.body } });
      expect(await store.invocations.start(aCall({ idempotencyKey: 'running' }))).toBe(false);
      expect(await store.invocations.forgetKeys(5_001)).toBe(1);
      await store.invocations.end(running.id, { ...OK, endedAt: 9_000 });
      expect(await store.invocations.find(running.agentKeyId, 'running')).toMatchObject({ outcome: { code: 'OK', body: OK.body } });
    });

    test('the key of a failure is released for the next call, and its record stays', async () => {
      const { store } = await setUp();
      const hold = { amount: 5n, currency: 'USD', perDay: 5n };
      const failed = aCall({ idempotencyKey: 'once', startedAt: Date.now(), hold });
      const failure = { code: 'ACTION_FAILED', body: '{"retryable":true}', endedAt: 2_000, charged: 0n };
      await store.invocations.start(failed);
      await store.invocations.end(failed.id, failure);
      await store.invocations.list({ limit: 1 });
      await Promise.all([store.invocations.release(failed.id), store.invocations.release(failed.id)]);
      expect(await store.invocations.find('key_agent', 'once')).toBeUndefined();
      const released = { id: failed.id, idempotencyKey: null, outcome: { ...failure, body: null } };
      expect(await store.invocations.get(failed.id)).toMatchObject(released);
      const retry = { ...failed, id: `${failed.id}_again` };
      expect(await store.invocations.start(retry)).toBe(true);
      await store.invocations.release(failed.id);
      await store.invocations.release(retry.id);
      expect(await store.invocations.find('key_agent', 'once')).toMatchObject({ id: retry.id, outcome: null });
      await store.invocations.end(retry.id, { ...OK, charged: 5n });
      await store.invocations.release(retry.id);
      expect(await store.invocations.find('key_agent', 'once')).toMatchObject({ id: retry.id, outcome: { code: 'OK' } });
      expect(await store.invocations.list({ limit: 2 })).toMatchObject([
        { id: retry.id },
        { id: failed.id, idempotencyKey: null, outcome: { code: 'ACTION_FAILED', body: null } },
      ]);
      expect((await store.ledger.spent(['key_agent'], failed.startedAt)).get('key_agent')).toEqual({ charged: 5n, held: 0n });
    });

    test('a failure that its handler calls retryable loses its key with its body', async () => {
      const { store } = await setUp();
      for (const [index, retryable] of [true, false].entries()) {
        const call = aCall({ id: `inv_${index}`, idempotencyKey: `once-${index}` });
        await store.invocations.start(call);
        await store.invocations.end(call.id, { code: 'ACTION_FAILED', body: JSON.stringify({ retryable }), endedAt: 2_000 });
      }
      await store.invocations.forgetResults('key_agent', { fromId: 'inv_0', bytes: 1_000 });
      expect(await store.invocations.find('key_agent', 'once-0')).toBeUndefined();
      expect(await store.invocations.find('key_agent', 'once-1')).toMatchObject({ outcome: { code: 'ACTION_FAILED', body: null } });
    });

    test('results of a key are counted and deleted, oldest first, and their calls still hold their keys', async () => {
      const { store } = await setUp();
      const ended = async (index: number, { agentKeyId = 'key_agent', code = 'OK', body = '"ää"' } = {}) => {
        const call = aCall({ id: `inv_${index}`, idempotencyKey: `once-${index}`, startedAt: 1_000 + index, agentKeyId });
        await store.invocations.start(call);
        await store.invocations.end(call.id, { code, body, endedAt: 2_000 });
      };
      await ended(0, { agentKeyId: 'key_other' });
      await ended(1, { code: 'SERVICE_STOPPING' });
      await ended(2, { code: 'ACTION_FAILED' });
      for (const index of [3, 4, 5]) await ended(index);
      await ended(6, { code: 'SERVICE_STOPPING' });
      // Six bytes each.
      expect(await store.invocations.keptResults('key_agent')).toEqual({ bytes: 24, oldestId: 'inv_2' });
      expect(await store.invocations.forgetResults('key_agent', { fromId: 'inv_2', bytes: 12 })).toEqual({ bytes: 12, nextId: 'inv_3' });
      expect(await store.invocations.keptResults('key_agent')).toEqual({ bytes: 12, oldestId: 'inv_4' });
      const seen = store.invocations;
      const bodies = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(async (index) => (await seen.get(`inv_${index}`))?.outcome));
      expect(bodies.map((outcome) => outcome?.body !== null)).toEqual([true, true, false, false, true, true, true]);
      expect(bodies.map((outcome) => outcome?.code)).toEqual([
        'OK',
        'SERVICE_STOPPING',
        'ACTION_FAILED',
        'OK',
        'OK',
        'OK',
        'SERVICE_STOPPING',
      ]);
      expect(await seen.find('key_agent', 'once-3')).toMatchObject({ id: 'inv_3', idempotencyKey: 'once-3' });
      expect(await seen.start(aCall({ idempotencyKey: 'once-3' }))).toBe(false);
    });

    test('results of thousands of calls are counted and deleted, including calls without a result', async () => {
      const { store } = await setUp();
      const idOf = (index: number) => `inv_${String(index).padStart(4, '0')}`;
      const calls = Array.from({ length: 1_234 }, (_, index) =>
        aCall({ id: idOf(index), idempotencyKey: index % 2 === 0 ? `once-${index}` : null, startedAt: 1_000 }),
      );
      await Promise.all(calls.map((call) => store.invocations.start(call)));
      await Promise.all(calls.map((call) => store.invocations.end(call.id, { code: 'OK', body: '"1234567"', endedAt: 2_000 })));
      expect(await store.invocations.keptResults('key_agent')).toEqual({ bytes: 617 * 9, oldestId: idOf(0) });
      const first = await store.invocations.forgetResults('key_agent', { fromId: idOf(0), bytes: 600 * 9 - 1 });
      expect(first).toEqual({ bytes: 600 * 9, nextId: idOf(1_198) });
      expect(await store.invocations.forgetResults('key_agent', { fromId: first.nextId, bytes: 10_000 })).toEqual({
        bytes: 17 * 9,
        nextId: idOf(1_233),
      });
      expect(await store.invocations.keptResults('key_agent')).toEqual({ bytes: 0, oldestId: undefined });
    });

    test('any text is stored unchanged, however large', async () => {
      const { store } = await setUp();
      const texts = [
        '',
        "'; DROP TABLE invocations; --",
        '\u202eשלום\u202c 你好 👩‍👩‍👧‍👦 e\u0301',
        JSON.stringify('\u0000\ud800'),
        'ü'.repeat(5_000_000),
      ];
      for (const text of texts) {
        const call = aCall({ idempotencyKey: randomUUID() });
        await store.invocations.start(call);
        await store.invocations.end(call.id, { ...OK, body: text });
        const found = await store.invocations.find(call.agentKeyId, call.idempotencyKey ?? '');
        expect(found?.outcome?.body === text).toBe(true);
      }
    });
  });

  describe.runIf(lasting)(`${name}: the data`, () => {
    test('survives closing and opening again, with writes that were not awaited', async () => {
      const openData = await newData();
      const before = await openData();
      const [key, call, running, refused] = [aKey(), aCall({ idempotencyKey: 'once' }), aCall(), aCall()];
      await before.keys.insert(key);
      await before.catalog.insertToolkit(aToolkit('weather'));
      await before.catalog.changeActions('weather', { upsert: [anAction('now')], remove: [] });
      await before.invocations.start(call);
      const writes = [before.invocations.end(call.id, OK), before.invocations.start(running)];
      before.invocations.refused(refused, OFFLINE);
      await before.close();
      await Promise.all(writes);

      const after = await openData();
      onTestFinished(() => after.close());
      expect(await after.keys.list()).toEqual([key]);
      expect(await after.catalog.toolkits()).toEqual([aToolkit('weather')]);
      expect(await after.catalog.actions()).toEqual([anAction('now')]);
      expect(await after.invocations.find(call.agentKeyId, 'once')).toMatchObject({ ...call, outcome: OK });
      expect(await after.invocations.takeAbandoned()).toEqual([{ ...running, node: after.node, outcome: null }]);
      expect(await after.invocations.list({ limit: 10 })).toContainEqual(expect.objectContaining({ ...refused, outcome: OFFLINE }));
    });

    test('the open calls of a closed node are taken over by the next node, oldest first, once', async () => {
      const openData = await newData();
      const before = await openData();
      const [second, first, ended] = [aCall({ startedAt: 2 }), aCall({ startedAt: 1, idempotencyKey: 'once' }), aCall()];
      await Promise.all([second, first, ended].map((call) => before.invocations.start(call)));
      await before.invocations.end(ended.id, OK);
      await before.close();

      const after = await openData();
      onTestFinished(() => after.close());
      expect(await after.invocations.takeAbandoned()).toEqual([
        { ...first, node: after.node, outcome: null },
        { ...second, node: after.node, outcome: null },
      ]);
      expect(await after.invocations.takeAbandoned()).toEqual([]);
      expect(await after.invocations.end(first.id, OK)).toEqual(OK);
      expect(await after.invocations.end(second.id, OK)).toEqual({ ...OK, body: null });
      expect((await after.invocations.get(second.id))?.outcome).toEqual({ ...OK, body: null });
    });
  });
}

/** New data. `open` returns another connection, which is closed when the test ends. */
async function openNew(newData: () => Promise<OpenStore>) {
  const openData = await newData();
  const open = async () => {
    const store = await openData();
    onTestFinished(() => store.close());
    return store;
  };
  return { open, store: await open() };
}
