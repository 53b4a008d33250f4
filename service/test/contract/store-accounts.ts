/** The contract of every store for accounts, invitations, audit and settings. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AuditQuery, AuditRecord, InvitationRecord } from '../../src/store/console-store';
import type { Store } from '../../src/store/store';
import { aPerson, aSession, hashOf } from './store-records';

const NOW = 1_700_000_000_000;

const anInvitation = (change: Partial<InvitationRecord> = {}): InvitationRecord => ({
  id: `inv_${randomUUID()}`,
  hash: hashOf(randomUUID()),
  role: 'member',
  name: null,
  personId: null,
  madeBy: null,
  createdAt: NOW,
  expiresAt: NOW + 1_000,
  ...change,
});

export function accountContract(name: string, newStore: () => Promise<Store>): void {
  const addPerson = async ({ accounts }: Store, change: Parameters<typeof aPerson>[0] = {}) => {
    const person = aPerson(change);
    await accounts.tables.insertInto('people').values(person).execute();
    return person;
  };

  describe(`${name}: accounts`, () => {
    test('people are listed oldest first and found by id and e-mail, with the time of their last session', async () => {
      const store = await newStore();
      const young = await addPerson(store, { created_at: '2026-02-01T00:00:00.000Z' });
      const old = await addPerson(store, { created_at: '2026-01-01T00:00:00.000Z', role: 'owner' });
      for (const updated_at of ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'])
        await store.accounts.tables.insertInto('sessions').values(aSession(old.id, { updated_at })).execute();
      const told = (person: typeof old) => ({
        id: person.id,
        name: person.name,
        email: person.email,
        role: person.role,
        createdAt: Date.parse(person.created_at),
        lastSeenAt: person === old ? Date.parse('2026-03-02T00:00:00.000Z') : null,
      });
      expect(await store.accounts.list()).toEqual([told(old), told(young)]);
      expect(await store.accounts.find(young.id)).toEqual(told(young));
      expect(await store.accounts.findByEmail(old.email)).toEqual(told(old));
      expect(await store.accounts.find('nobody')).toBeUndefined();
      expect(await store.accounts.findByEmail('nobody@example.com')).toBeUndefined();
    });

    test('the last owner cannot be demoted', async () => {
      const { accounts, ...store } = await newStore();
      const [owner, member] = [await addPerson({ accounts, ...store }, { role: 'owner' }), await addPerson({ accounts, ...store })];
      expect(await accounts.changeRole(owner.id, 'member')).toBe(false);
      expect(await accounts.remove(owner.id)).toBe(false);
      expect(await accounts.changeRole(owner.id, 'owner')).toBe(true);
      expect(await accounts.changeRole(member.id, 'member')).toBe(true);
      expect(await accounts.changeRole('nobody', 'owner')).toBe(false);
      expect(await accounts.remove('nobody')).toBe(false);

      expect(await accounts.changeRole(member.id, 'owner')).toBe(true);
      expect(await accounts.changeRole(owner.id, 'member')).toBe(true);
      expect(await accounts.remove(owner.id)).toBe(true);
      expect((await accounts.list()).map(({ id, role }) => [id, role])).toEqual([[member.id, 'owner']]);
    });

    test('concurrent demotions of all owners leave one owner', async () => {
      const { accounts, ...store } = await newStore();
      const owners = [];
      for (let count = 0; count < 6; count++) owners.push(await addPerson({ accounts, ...store }, { role: 'owner' }));
      const done = await Promise.all(owners.map(({ id }, index) => (index % 2 ? accounts.remove(id) : accounts.changeRole(id, 'member'))));
      expect(done.filter(Boolean)).toHaveLength(5);
      expect((await accounts.list()).filter(({ role }) => role === 'owner')).toHaveLength(1);
    });

    test('an account is removed with its sessions, logins, passkeys and links', async () => {
      const store = await newStore();
      const { accounts } = store;
      await addPerson(store, { role: 'owner' });
      const { id } = await addPerson(store);
      const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
      await accounts.tables.insertInto('sessions').values(aSession(id)).execute();
      await accounts.tables
        .insertInto('logins')
        .values({ id: 'l', person_id: id, account_id: id, provider_id: 'credential', password: 'x', ...times })
        .execute();
      const passkey = { id: 'p', person_id: id, public_key: 'k', credential_id: 'c', counter: 0, device_type: 'd', backed_up: 0 };
      await accounts.tables.insertInto('passkeys').values(passkey).execute();
      await accounts.invite(anInvitation({ personId: id }));
      expect(await accounts.remove(id)).toBe(true);
      for (const table of ['sessions', 'logins', 'passkeys'] as const)
        expect(await accounts.tables.selectFrom(table).selectAll().execute()).toEqual([]);
      expect(await accounts.invitations(NOW)).toEqual([]);
    });

    test('an invitation is found by the hash of its token while it can be used', async () => {
      const { accounts } = await newStore();
      const [first, second] = [anInvitation({ name: 'Ada' }), anInvitation({ role: 'owner', createdAt: NOW + 1, expiresAt: NOW + 2_000 })];
      for (const invitation of [first, second]) await accounts.invite(invitation);
      expect(await accounts.invitations(NOW)).toEqual([second, first]);
      expect(await accounts.invitation(first.hash, NOW)).toEqual(first);
      expect(await accounts.invitation(first.hash, first.expiresAt)).toBeUndefined();
      expect(await accounts.invitation(hashOf('other'), NOW)).toBeUndefined();
      expect(await accounts.invitations(first.expiresAt)).toEqual([second]);

      expect(await accounts.withdrawInvitation(second.id, NOW)).toBe(true);
      expect(await accounts.withdrawInvitation(second.id, NOW)).toBe(false);
      expect(await accounts.invitations(NOW)).toEqual([first]);
    });

    test('one of many concurrent uses of an invitation succeeds, and the use can be undone', async () => {
      const { accounts } = await newStore();
      const invitation = anInvitation();
      await accounts.invite(invitation);
      const used = await Promise.all(Array.from({ length: 8 }, () => accounts.useInvitation(invitation.id, NOW)));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await accounts.invitation(invitation.hash, NOW)).toBeUndefined();
      expect(await accounts.withdrawInvitation(invitation.id, NOW)).toBe(false);

      await accounts.returnInvitation(invitation.id);
      expect(await accounts.invitation(invitation.hash, NOW)).toEqual(invitation);
      expect(await accounts.useInvitation(invitation.id, invitation.expiresAt)).toBe(false);
      expect(await accounts.useInvitation('inv_nobody', NOW)).toBe(false);
    });

    test('the audit is listed newest first, page by page', async () => {
      const { audit } = await newStore();
      const entries = Array.from({ length: 5 }, (_, index) => ({
        id: `aud_${index}`,
        at: NOW + index,
        actor: index % 2 ? { kind: 'command' as const, name: 'svc-sdk' } : { kind: 'person' as const, id: 'p', name: 'Ada 🌤️' },
        what: 'key.change' as const,
        subject: 'key_1',
        details: { name: { from: 'a', to: 'b' } },
      }));
      for (const entry of entries) await audit.insert(entry);
      const newestFirst = entries.toReversed();
      expect(await audit.list({ limit: 3 })).toEqual(newestFirst.slice(0, 3));
      expect(await audit.list({ limit: 3, before: 'aud_2' })).toEqual(newestFirst.slice(3));
    });

    test('the audit is searched by words, person, kind and time, and its heads are the same entries', async () => {
      const { audit } = await newStore();
      const ada = { kind: 'person' as const, id: 'per_1', name: 'Ada "id":"per_2"' };
      const idAt = (at: number) => `aud_${at.toString(36).padStart(9, '0')}0`;
      const entry = (at: number, change: Partial<AuditRecord>): AuditRecord => ({
        id: idAt(at),
        at,
        actor: ada,
        what: 'key.create',
        subject: `key_${at - NOW}`,
        details: {},
        ...change,
      });
      const entries = [
        entry(NOW, { details: { name: 'Größe 100%' } }),
        entry(NOW + 1_000, { what: 'person.role', subject: 'per_2', details: { role: { from: 'member', to: 'owner' } } }),
        entry(NOW + 2_000, { actor: { kind: 'command', name: 'svc-sdk' } }),
        entry(NOW + 3_000, { actor: { kind: 'person', id: 'per_2', name: 'Grace' } }),
      ];
      for (const one of entries) await audit.insert(one);
      const places = async (query: Partial<AuditQuery>) =>
        (await audit.list({ limit: 9, ...query })).map(({ id }) => entries.findIndex((one) => one.id === id));
      expect(await places({ words: 'größe 100%' })).toEqual([0]);
      expect(await places({ words: 'OWNER ada' })).toEqual([1]);
      expect(await places({ words: 'key_2000' })).toEqual([2]);
      expect(await places({ personId: 'per_2' })).toEqual([3]);
      expect(await places({ personId: 'per__' })).toEqual([]);
      expect(await places({ what: ['person.role', 'key.revoke'] })).toEqual([1]);
      expect(await places({ what: [] })).toEqual([]);
      expect(await places({ from: NOW + 1_000, to: NOW + 3_000 })).toEqual([2, 1]);
      expect(await places({ ids: [idAt(NOW), idAt(NOW + 3_000)] })).toEqual([3, 0]);
      expect(await places({ since: idAt(NOW + 1_000), before: idAt(NOW + 3_000) })).toEqual([2, 1]);
      const { id, at, actor, what } = entries[3] as AuditRecord;
      expect(await audit.heads({ limit: 1 })).toEqual([{ id, at, actor, what }]);
    });

    test('settings are replaced, and one of several concurrent first values is used by all', async () => {
      const { settings } = await newStore();
      await settings.put([], NOW);
      await settings.put(
        [
          { name: 'b', value: ['x', null] },
          { name: 'a', value: 1 },
        ],
        NOW,
      );
      await settings.put([{ name: 'a', value: { deep: true } }], NOW + 1);
      expect(await settings.all()).toEqual([
        { name: 'a', value: { deep: true } },
        { name: 'b', value: ['x', null] },
      ]);
      const stand = await Promise.all(Array.from({ length: 5 }, (_, index) => settings.putIfAbsent('secret', index, NOW)));
      expect(new Set(stand).size).toBe(1);
      expect(await settings.putIfAbsent('secret', 'late', NOW)).toBe(stand[0]);
    });
  });
}
