/** The contract of every store for links to the connect page, flows, clients and apps. */
import { describe, expect, test } from 'vitest';
import type { ConnectionClientRecord, NewConnectLink, NewFlow } from '../../src/store/connect-store';
import type { Store } from '../../src/store/store';
import { aToolkit, hashOf } from './store-records';

const MINUTE = 60_000;
const OWNER = 'user:key_a:u_1';

const aLink = (text: string, change: Partial<NewConnectLink> = {}): NewConnectLink => ({
  ...{ hash: hashOf(text), owner: OWNER, toolkits: ['git_hub', 'shop'], name: 'default', createdBy: 'key_a' },
  ...change,
});

const aFlow = (id: string, change: Partial<NewFlow> = {}): NewFlow => ({
  ...{
    id,
    linkHash: hashOf('link'),
    toolkitId: 'git_hub',
    owner: OWNER,
    name: 'default',
    status: 'started',
    browserHash: hashOf('browser'),
  },
  ...{ stateHash: hashOf(`state ${id}`), codeHash: null, sealed: `sealed ${id}`, sealedBy: 'k1' },
  ...change,
});

export function connectContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: the connect page`, () => {
    test('a link is read unchanged until it expires', async () => {
      const { connect } = await newStore();
      const now = Date.now();
      const expiresAt = await connect.addLink(aLink('link'), { forMs: MINUTE, max: 20 });
      expect(Math.abs(expiresAt - now - MINUTE)).toBeLessThan(MINUTE / 2);
      const link = await connect.link(hashOf('link'));
      expect(link).toEqual({ ...aLink('link'), browserHash: null, starts: 0, createdAt: expect.any(Number), expiresAt });
      expect(await connect.link(hashOf('none'))).toBeUndefined();
      await connect.addLink(aLink('late'), { forMs: -1, max: 20 });
      expect(await connect.link(hashOf('late'))).toBeUndefined();
      expect(await connect.claimLink(hashOf('late'), { browserHash: hashOf('b'), maxStarts: 5, forMs: MINUTE })).toBe(false);
    });

    test('an owner has at most so many links, and the oldest go first', async () => {
      const { connect } = await newStore();
      await connect.addLink(aLink('other', { owner: 'everyone' }), { forMs: MINUTE, max: 2 });
      for (const text of ['one', 'two', 'three']) {
        await connect.addLink(aLink(text), { forMs: MINUTE, max: 2 });
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const left = await Promise.all(['other', 'one', 'two', 'three'].map((text) => connect.link(hashOf(text))));
      expect(left.map((link) => link !== undefined)).toEqual([true, false, true, true]);
    });

    test('a link belongs to the first browser, for so many flows', async () => {
      const { connect } = await newStore();
      await connect.addLink(aLink('link'), { forMs: MINUTE, max: 20 });
      const browsers = Array.from({ length: 8 }, (_, index) => hashOf(`browser ${index}`));
      const claim = (browserHash: string) => connect.claimLink(hashOf('link'), { browserHash, maxStarts: 3, forMs: 5 * MINUTE });
      const claimed = await Promise.all(browsers.map(claim));
      expect(claimed.filter(Boolean)).toHaveLength(1);
      const first = browsers[claimed.indexOf(true)] ?? '';
      const link = await connect.link(hashOf('link'));
      expect(link).toMatchObject({ browserHash: first, starts: 1 });
      expect(link!.expiresAt - link!.createdAt).toBeGreaterThan(4 * MINUTE);
      expect([await claim(first), await claim(first), await claim(first)]).toEqual([true, true, false]);
    });

    test('a flow is found by its state and its code while it lives, and changes once', async () => {
      const { connect } = await newStore();
      await connect.addFlow(aFlow('f1'), MINUTE);
      const flow = await connect.flowByState(hashOf('state f1'));
      expect(flow).toEqual({
        ...aFlow('f1'),
        problem: null,
        createdAt: expect.any(Number),
        expiresAt: expect.any(Number),
        readAt: expect.any(Number),
      });
      expect(await connect.flow('f1')).toEqual({ ...flow, readAt: expect.any(Number) });
      expect(await connect.flowByCode(hashOf('code'))).toBeUndefined();

      const changes = await Promise.all(Array.from({ length: 8 }, () => connect.changeFlow('f1', 'started', { status: 'checking' })));
      expect(changes.filter(Boolean)).toHaveLength(1);
      const awaiting = { status: 'awaiting', sealed: 'other', sealedBy: 'k2', codeHash: hashOf('code') } as const;
      expect(await connect.changeFlow('f1', 'checking', { ...awaiting, forMs: 2 * MINUTE })).toBe(true);
      const found = await connect.flowByCode(hashOf('code'));
      expect(found).toMatchObject(awaiting);
      expect(found!.expiresAt).toBeGreaterThan(flow!.expiresAt);
      expect(await connect.changeFlow('f1', 'awaiting', { status: 'failed', problem: 'ä "why"', forMs: -1 })).toBe(true);
      expect(await connect.flow('f1')).toMatchObject({ status: 'failed', problem: 'ä "why"' });
      expect(await connect.flowByCode(hashOf('code'))).toBeUndefined();
      expect(await connect.flowByState(hashOf('state f1'))).toBeUndefined();
      expect(await connect.changeFlow('f1', 'failed', { status: 'done' })).toBe(false);
    });

    test('a new flow replaces the one of the same toolkit that is at the provider', async () => {
      const { connect } = await newStore();
      await connect.addFlow(aFlow('old'), MINUTE);
      await connect.addFlow(aFlow('shop', { toolkitId: 'shop' }), MINUTE);
      await connect.addFlow(aFlow('other', { linkHash: hashOf('other') }), MINUTE);
      await connect.addFlow(aFlow('waiting', { status: 'awaiting' }), MINUTE);
      expect((await connect.flowsOfLink(hashOf('link'))).map(({ id }) => id)).toEqual(['shop', 'waiting']);
      await connect.addFlow(aFlow('new', { stateHash: null }), MINUTE);
      expect((await connect.flowsOfLink(hashOf('link'))).map(({ id }) => id).sort()).toEqual(['new', 'shop', 'waiting']);
      expect(await connect.flow('other')).toBeDefined();
    });

    test('wrong codes end the flows of their owner', async () => {
      const { connect } = await newStore();
      for (const [id, change] of Object.entries<Partial<NewFlow>>({
        mine: { status: 'awaiting' },
        started: {},
        yours: { status: 'awaiting', owner: 'user:key_a:u_2' },
      }))
        await connect.addFlow(aFlow(id, { ...change, toolkitId: id }), MINUTE);
      const ended: string[][] = [];
      for (let each = 0; each < 4; each++) ended.push((await connect.countWrongCode(OWNER, 3)).map(({ id }) => id));
      expect(ended).toEqual([[], [], ['mine'], []]);
      const statuses = await Promise.all(['mine', 'started', 'yours'].map((id) => connect.flow(id)));
      expect(statuses.map((flow) => flow?.status)).toEqual(['ended', 'started', 'awaiting']);
    });

    test('expired links and flows are removed', async () => {
      const { connect } = await newStore();
      await connect.addLink(aLink('late'), { forMs: -1, max: 20 });
      for (const [id, forMs] of [
        ['a', -1],
        ['b', -1],
        ['c', MINUTE],
      ] as const)
        await connect.addFlow(aFlow(id, { toolkitId: id }), forMs);
      const taken = [...(await connect.takeExpired(1)), ...(await connect.takeExpired(5))];
      expect(taken.map(({ id, sealed }) => [id, sealed]).sort()).toEqual([
        ['a', 'sealed a'],
        ['b', 'sealed b'],
      ]);
      expect(await connect.takeExpired(5)).toEqual([]);
      expect(await connect.flow('c')).toBeDefined();
    });

    test('a toolkit has one client, which a removed toolkit leaves for its revocations alone', async () => {
      const { connect, catalog } = await newStore();
      await catalog.insertToolkit(aToolkit('git_hub'));
      const client: Omit<ConnectionClientRecord, 'updatedAt'> = {
        ...{ toolkitId: 'git_hub', source: 'owner', clientId: 'c1', authMethod: 'basic', endpoints: '{}' },
        secret: { sealed: 's', sealedBy: 'k1' },
      };
      await connect.putClient(client);
      expect(await connect.client('git_hub')).toEqual({ ...client, updatedAt: expect.any(Number) });
      const next: typeof client = { ...client, source: 'registered', clientId: 'c2', authMethod: 'none', secret: null };
      await connect.putClient(next);
      expect(await connect.client('git_hub')).toEqual({ ...next, updatedAt: expect.any(Number) });
      await catalog.removeToolkit('git_hub', Date.now());
      expect(await connect.client('git_hub')).toBeUndefined();
      expect(await connect.presentOrRemovedClient('git_hub')).toMatchObject({ clientId: 'c2' });
      await connect.takeExpired(1);
      expect(await connect.presentOrRemovedClient('git_hub')).toMatchObject({ clientId: 'c2' });
      await connect.putClient(client);
      expect(await connect.client('git_hub')).toMatchObject({ clientId: 'c1' });
      expect([await connect.removeClient('git_hub'), await connect.removeClient('git_hub')]).toEqual([true, false]);
      await connect.putClient(client);
      await catalog.removeToolkit('git_hub', 1_000);
      await connect.takeExpired(1);
      expect(await connect.presentOrRemovedClient('git_hub')).toBeUndefined();
    });

    test('an app is stored until its key is revoked', async () => {
      const { connect, keys } = await newStore();
      const app = {
        keyId: 'key_a',
        returnUrl: 'https://a.example/back',
        webhookUrl: 'https://a.example/hook',
        secret: { sealed: 's', sealedBy: 'k' },
      };
      await connect.putApp(app);
      expect(await connect.app('key_a')).toEqual(app);
      const less = { keyId: 'key_a', returnUrl: null, webhookUrl: null, secret: null };
      await connect.putApp(less);
      await connect.putApp({ ...less, keyId: 'key_b' });
      expect(await connect.apps(['key_a', 'key_b', 'key_c'])).toEqual([less, { ...less, keyId: 'key_b' }]);
      await connect.removeApp('key_b');
      expect(await connect.app('key_b')).toBeUndefined();
      await keys.revoke('key_a', Date.now());
      expect(await connect.app('key_a')).toBeUndefined();
    });

    test('the seals of clients and apps are counted by key, and replaced while the secret stays', async () => {
      const { connect } = await newStore();
      const seal = (sealedBy: string) => ({ sealed: `by ${sealedBy}`, sealedBy });
      const client = { source: 'owner', clientId: 'c', authMethod: 'basic', endpoints: '{}' } as const;
      for (const [toolkitId, secret] of [
        ['a', seal('k1')],
        ['b', seal('k2')],
        ['c', null],
      ] as const)
        await connect.putClient({ ...client, toolkitId, secret });
      for (const [keyId, secret] of [
        ['key_a', seal('k1')],
        ['key_b', seal('k2')],
        ['key_c', null],
      ] as const)
        await connect.putApp({ keyId, returnUrl: null, webhookUrl: null, secret });
      const both = [
        { sealedBy: 'k1', count: 1 },
        { sealedBy: 'k2', count: 1 },
      ];
      expect(await connect.sealCounts()).toEqual([...both, ...both]);
      expect((await connect.clientsSealedByOthers('k2')).map(({ toolkitId }) => toolkitId)).toEqual(['a']);
      expect((await connect.appsSealedByOthers('k2')).map(({ keyId }) => keyId)).toEqual(['key_a']);

      expect(await connect.resealClient('a', seal('k0'), seal('k2'))).toBe(false);
      expect(await connect.resealClient('a', seal('k1'), seal('k2'))).toBe(true);
      expect(await connect.client('a')).toMatchObject({ clientId: 'c', secret: seal('k2') });
      expect(await connect.resealApp('key_a', seal('k0'), seal('k2'))).toBe(false);
      expect(await connect.resealApp('key_a', seal('k1'), seal('k2'))).toBe(true);
      expect(await connect.app('key_a')).toMatchObject({ secret: seal('k2') });
      expect([await connect.clientsSealedByOthers('k2'), await connect.appsSealedByOthers('k2')]).toEqual([[], []]);
    });
  });
}
