/** The contract of every store for kept connections. */
import { describe, expect, test, vi } from 'vitest';
import type { ConnectionViewer, NewConnection } from '../../src/store/connection-store';
import type { Store } from '../../src/store/store';
import { aConnection, aKey, aPerson, aToolkit } from './store-records';

const MINUTE = 60_000;
const CLAIM = { version: 1, forMs: 10_000 };

export function connectionContract(name: string, newStore: () => Promise<Store>): void {
  const added = async (...changes: Partial<NewConnection>[]) => {
    const store = await newStore();
    for (const change of changes) expect(await store.connections.add(aConnection(change))).toBe(true);
    return store;
  };

  describe(`${name}: connections`, () => {
    test('a connection is read unchanged, with the times of the database', async () => {
      const { connections } = await added({ expiresInMs: 5_000, scopes: 'repo gist' });
      const { expiresInMs, ...texts } = aConnection({ expiresInMs: 5_000, scopes: 'repo gist' });
      const read = await connections.find('con_1');
      // The clock goes on between two columns of a row.
      const soonAfter = (ms: number) => expect.closeTo(Number(read?.createdAt) + ms, -2);
      const times = { createdAt: read?.createdAt, connectedAt: soonAfter(0), refreshedAt: soonAfter(0) };
      expect(read).toEqual({
        ...{ ...texts, ...times, expiresAt: soonAfter(expiresInMs!) },
        ...{
          isDefault: false,
          status: 'live',
          version: 1,
          refreshingUntil: 0,
          usedAt: null,
          fault: null,
          faultAt: null,
          faultMender: null,
        },
        readAt: expect.any(Number),
      });
      expect(Math.abs(Date.now() - Number(read?.createdAt))).toBeLessThan(MINUTE);
      expect(read?.readAt).toBeGreaterThanOrEqual(Number(read?.createdAt));
      expect(await connections.find('con_2')).toBeUndefined();
    });

    test('an owner has one connection of a toolkit with a name, also of many at once', async () => {
      const { connections } = await newStore();
      const ids = Array.from({ length: 8 }, (_, index) => `con_${index}`);
      const stored = await Promise.all(ids.map((id) => connections.add(aConnection({ id }))));
      expect(stored.filter(Boolean)).toHaveLength(1);
      for (const [index, change] of [{ name: 'work' }, { owner: 'everyone' }, { toolkitId: 'shop' }].entries())
        expect(await connections.add(aConnection({ id: `con_x${index}`, ...change }))).toBe(true);
      expect((await connections.ofOwner('github', 'user:key_1:u_81')).map((row) => row.name)).toEqual(['default', 'work']);
      expect(await connections.ofOwner('github', 'user:key_1:u_82')).toEqual([]);
    });

    test('an account that is connected again replaces the version that it was read in', async () => {
      const { connections } = await added({});
      await connections.end('con_1', 1, 'revoked');
      const { id, toolkitId, owner, name: _, ...account } = aConnection({ sealed: 'bmV3', sealedBy: 'k2', account: 'hubot' });
      expect(await connections.replace(id, 2, account)).toBe(false);
      expect(await connections.replace(id, 1, account)).toBe(true);
      expect(await connections.replace(id, 1, account)).toBe(false);
      expect(await connections.find(id)).toMatchObject({
        ...{ id, toolkitId, owner, sealed: 'bmV3', sealedBy: 'k2', account: 'hubot', version: 2 },
        ...{ status: 'live', fault: null, faultAt: null },
      });
    });

    test('of many claims of a version one succeeds, and its refresh makes the next version', async () => {
      const { connections } = await added({});
      const claims = await Promise.all(Array.from({ length: 10 }, () => connections.claimRefresh('con_1', CLAIM)));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect((await connections.find('con_1'))?.refreshingUntil).toBeGreaterThan(Date.now() - MINUTE);
      const secret = { sealed: 'bmV3', sealedBy: 'k1', scopes: 'repo', expiresInMs: null };
      expect(await connections.refreshed('con_1', 2, secret)).toBe(false);
      expect(await connections.refreshed('con_1', 1, secret)).toBe(true);
      expect(await connections.find('con_1')).toMatchObject({ sealed: 'bmV3', version: 2, refreshingUntil: 0, expiresAt: null });
      expect(await connections.claimRefresh('con_1', CLAIM)).toBe(false);
      expect(await connections.claimRefresh('con_1', { ...CLAIM, version: 2 })).toBe(true);
    });

    test('a claim lapses, and a failed refresh gives it back', async () => {
      const { connections } = await added({});
      expect(await connections.claimRefresh('con_1', { version: 1, forMs: 0 })).toBe(true);
      await vi.waitFor(async () => expect(await connections.claimRefresh('con_1', CLAIM)).toBe(true));
      await connections.refreshFailed('con_1', 2, 'of another version', 'user');
      expect(await connections.claimRefresh('con_1', CLAIM)).toBe(false);
      await connections.refreshFailed('con_1', 1, 'the provider is down', 'provider');
      const failed = await connections.find('con_1');
      expect(failed).toMatchObject({
        status: 'live',
        version: 1,
        refreshingUntil: 0,
        fault: 'the provider is down',
        faultMender: 'provider',
      });
      expect(failed?.faultAt).toEqual(expect.any(Number));
      expect(await connections.claimRefresh('con_1', CLAIM)).toBe(true);
    });

    test('a connection ends once, at the version that its provider refused', async () => {
      const { connections } = await added({});
      expect(await connections.end('con_1', 2, 'late')).toBe(false);
      expect(await connections.end('con_1', 1, 'revoked by its user')).toBe(true);
      expect(await connections.end('con_1', 1, 'again')).toBe(false);
      expect(await connections.find('con_1')).toMatchObject({ status: 'ended', fault: 'revoked by its user' });
      expect(await connections.claimRefresh('con_1', CLAIM)).toBe(false);
    });

    test('a use is recorded, at most once a minute', async () => {
      const { connections } = await added({});
      await connections.used('con_1');
      const first = (await connections.find('con_1'))?.usedAt;
      expect(Math.abs(Date.now() - Number(first))).toBeLessThan(MINUTE);
      await connections.used('con_1');
      expect((await connections.find('con_1'))?.usedAt).toBe(first);
    });

    test('an owner has one default connection of a toolkit', async () => {
      const { connections } = await added({ id: 'con_1', name: 'a' }, { id: 'con_2', name: 'b' }, { id: 'con_3', owner: 'everyone' });
      expect(await connections.setDefault('con_3')).toBe(true);
      expect(await connections.setDefault('con_1')).toBe(true);
      expect(await connections.setDefault('con_2')).toBe(true);
      expect(await connections.setDefault('con_4')).toBe(false);
      const defaults = await Promise.all(['con_1', 'con_2', 'con_3'].map(async (id) => (await connections.find(id))?.isDefault));
      expect(defaults).toEqual([false, true, true]);
    });

    test('a member sees those of their toolkits, of their agent keys with the users of these, and their own', async () => {
      const owners = ['everyone', 'agent:key_1', 'user:key_1:u:81', 'user:key_12:u_81', 'agent:key_12', 'person:per_1', 'person:per_12'];
      const { connections } = await added(...owners.map((owner, index) => ({ id: `con_${index}`, owner })), {
        id: 'con_8',
        toolkitId: 'shop',
        owner: 'everyone',
      });
      const seenBy = async (viewer: ConnectionViewer) =>
        (await connections.list({ viewer, limit: 10 })).map(({ toolkitId, owner }) => `${toolkitId} ${owner}`).sort();
      const nothing = { toolkitIds: [], agentKeyIds: [], personId: 'per_9' };
      expect(await seenBy(nothing)).toEqual([]);
      expect(await seenBy({ ...nothing, personId: 'per_1' })).toEqual(['github person:per_1']);
      expect(await seenBy({ ...nothing, agentKeyIds: ['key_1'] })).toEqual(['github agent:key_1', 'github user:key_1:u:81']);
      expect(await seenBy({ ...nothing, toolkitIds: ['shop'], agentKeyIds: ['key_12'] })).toEqual([
        'github agent:key_12',
        'github user:key_12:u_81',
        'shop everyone',
      ]);
      const manyKeys = Array.from({ length: 3_000 }, (_, index) => `key_${index}`);
      expect(await seenBy({ ...nothing, agentKeyIds: manyKeys })).toHaveLength(4);
    });

    test('connections are listed newest first, by toolkit and by owner, in pages', async () => {
      const { connections } = await added(
        ...[{ id: 'con_1' }, { id: 'con_2', toolkitId: 'shop' }, { id: 'con_3', owner: 'everyone' }, { id: 'con_4', toolkitId: 'maps' }],
      );
      const listed = async (filter: Partial<Parameters<typeof connections.list>[0]>) =>
        (await connections.list({ limit: 10, ...filter })).map(({ id }) => id);
      expect(await listed({})).toEqual(['con_4', 'con_3', 'con_2', 'con_1']);
      expect(await listed({ toolkitIds: ['github', 'shop'] })).toEqual(['con_3', 'con_2', 'con_1']);
      expect(await listed({ toolkitIds: [] })).toEqual([]);
      expect(await listed({ owner: 'user:key_1:u_81', limit: 2 })).toEqual(['con_4', 'con_2']);
      expect(await listed({ owner: 'user:key_1:u_81', before: 'con_2' })).toEqual(['con_1']);
    });

    test('a removed connection is returned, for the last time', async () => {
      const { connections } = await added({});
      expect(await connections.remove('con_1')).toMatchObject({ id: 'con_1', sealed: aConnection().sealed });
      expect(await connections.remove('con_1')).toBeUndefined();
      expect(await connections.find('con_1')).toBeUndefined();
    });

    test('the connections of a removed toolkit are gone at once, and the next toolkit with its id has none', async () => {
      const { connections, catalog } = await added({ id: 'con_1' }, { id: 'con_2', name: 'work' }, { id: 'con_3', toolkitId: 'shop' });
      await catalog.insertToolkit(aToolkit('github'));
      await catalog.removeToolkit('github', 1);
      await catalog.insertToolkit(aToolkit('github'));
      expect(await connections.ofOwner('github', 'user:key_1:u_81')).toEqual([]);
      expect(await connections.find('con_1')).toBeUndefined();
      expect(await connections.remove('con_1')).toBeUndefined();
      expect(await connections.setDefault('con_1')).toBe(false);
      expect((await connections.list({ limit: 10 })).map(({ id }) => id)).toEqual(['con_3']);
      expect(await connections.add(aConnection({ id: 'con_4' }))).toBe(true);

      expect(await connections.takeRemoved(1)).toHaveLength(1);
      const [last] = await connections.takeRemoved(5);
      expect(last).toMatchObject({ toolkitId: 'github', owner: 'user:key_1:u_81', sealed: aConnection().sealed });
      expect(await connections.takeRemoved(5)).toEqual([]);
      expect(await connections.find('con_4')).toBeDefined();
    });

    test('a revoked key takes its own connections and those of its users with it, and no other ones', async () => {
      const owners = ['agent:key_a', 'user:key_a:u_1', 'user:key_a:u:2', 'user:key_ab:u_1', 'agent:key_ab', 'user:keyXa:u', 'everyone'];
      const { connections, keys } = await added(...owners.map((owner, index) => ({ id: `con_${index}`, owner })));
      for (const id of ['key_a', 'key_b']) await keys.insert(aKey({ id }));
      await keys.revoke('key_b', 1);
      expect(await connections.takeRemoved(10)).toEqual([]);
      await keys.revoke('key_a', 1);
      expect((await connections.list({ limit: 10 })).map(({ owner }) => owner).sort()).toEqual(owners.slice(3).sort());
      expect((await connections.takeRemoved(10)).map(({ owner }) => owner).sort()).toEqual(owners.slice(0, 3).sort());
    });

    test('a removed person takes the own connections with it', async () => {
      const { connections, accounts } = await newStore();
      const person = aPerson();
      await accounts.tables.insertInto('people').values(person).execute();
      for (const [index, owner] of [`person:${person.id}`, 'person:other'].entries())
        await connections.add(aConnection({ id: `con_${index}`, owner }));
      expect(await accounts.remove('nobody')).toBe(false);
      expect(await accounts.remove(person.id)).toBe(true);
      expect((await connections.list({ limit: 10 })).map(({ id }) => id)).toEqual(['con_1']);
      expect((await connections.takeRemoved(10)).map(({ id }) => id)).toEqual(['con_0']);
    });

    test('seals are counted by key, and replaced while the secret stays', async () => {
      const { connections } = await added({ id: 'con_1' }, { id: 'con_2', name: 'b' }, { id: 'con_3', name: 'c', sealedBy: 'k2' });
      expect(await connections.sealCounts()).toEqual([
        { sealedBy: 'k1', count: 2 },
        { sealedBy: 'k2', count: 1 },
      ]);
      const first = await connections.sealedByOthers('k2', { after: '', limit: 1 });
      expect(first.map(({ id }) => id)).toEqual(['con_1']);
      expect((await connections.sealedByOthers('k2', { after: 'con_1', limit: 5 })).map(({ id }) => id)).toEqual(['con_2']);
      const seal = { sealed: 'c2VhbA', sealedBy: 'k2' };
      expect(await connections.reseal('con_1', 2, seal)).toBe(false);
      expect(await connections.reseal('con_1', 1, seal)).toBe(true);
      expect(await connections.find('con_1')).toMatchObject({ ...seal, version: 1 });
    });
  });
}
