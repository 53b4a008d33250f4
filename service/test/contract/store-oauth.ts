/** The contract of every store for authorization codes and grants. */
import { describe, expect, test } from 'vitest';
import type { GrantRecord } from '../../src/store/oauth-store';
import type { Store } from '../../src/store/store';
import { aGrant, hashOf } from './store-records';

const MINUTE = 60_000;
const DAY = 86_400_000;

export function oauthContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: OAuth`, () => {
    test('a code is read unchanged, and used once before it expires', async () => {
      const { oauth } = await newStore();
      const now = Date.now();
      const [code, late] = [hashOf('code'), hashOf('late')].map((hash) => ({ hash, request: '{"redirect":"ä"}', expiresAt: now + MINUTE }));
      for (const each of [code!, late!]) await oauth.addCode(each);
      expect(await oauth.code(code!.hash)).toEqual({ ...code, usedAt: null, grantId: null });
      expect(await oauth.code(hashOf('none'))).toBeUndefined();

      expect(await oauth.useCode(code!.hash, { at: now + 1, grantId: 'grant1' })).toBe(true);
      expect(await oauth.useCode(code!.hash, { at: now + 2, grantId: 'grant2' })).toBe(false);
      expect(await oauth.code(code!.hash)).toEqual({ ...code, usedAt: now + 1, grantId: 'grant1' });
      expect(await oauth.useCode(late!.hash, { at: now + MINUTE, grantId: 'grant3' })).toBe(false);
      expect(await oauth.useCode(hashOf('none'), { at: now, grantId: 'grant4' })).toBe(false);
    });

    test('of many concurrent uses of a code one succeeds', async () => {
      const { oauth } = await newStore();
      const now = Date.now();
      await oauth.addCode({ hash: hashOf('code'), request: '{}', expiresAt: now + MINUTE });
      const grants = Array.from({ length: 10 }, (_, index) => `grant${index}`);
      const used = await Promise.all(grants.map((grantId) => oauth.useCode(hashOf('code'), { at: now, grantId })));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await oauth.code(hashOf('code'))).toMatchObject({ grantId: grants[used.indexOf(true)] });
    });

    test('a new code removes those that expired more than ten minutes ago', async () => {
      const { oauth } = await newStore();
      const now = Date.now();
      const ages = { old: now - 11 * MINUTE, recent: now - 9 * MINUTE, fresh: now + MINUTE };
      for (const [text, expiresAt] of Object.entries(ages)) await oauth.addCode({ hash: hashOf(text), request: '{}', expiresAt });
      expect(await oauth.code(hashOf('old'))).toBeUndefined();
      expect(await oauth.code(hashOf('recent'))).toBeDefined();
      expect(await oauth.code(hashOf('fresh'))).toBeDefined();
    });

    test('a grant is read unchanged, and its generations follow each other', async () => {
      const { oauth } = await newStore();
      const grant = aGrant();
      await oauth.addGrant(grant);
      expect(await oauth.grant(grant.id)).toEqual(grant);
      expect(await oauth.grant('none')).toBeUndefined();

      const [at, idleUntil] = [grant.createdAt + 5, grant.idleUntil + 5];
      expect(await oauth.rotateGrant(grant.id, { from: 2, at, idleUntil })).toBe(false);
      expect(await oauth.rotateGrant(grant.id, { from: 1, at, idleUntil })).toBe(true);
      expect(await oauth.rotateGrant(grant.id, { from: 1, at: at + 1, idleUntil })).toBe(false);
      expect(await oauth.grant(grant.id)).toEqual({ ...grant, generation: 2, rotatedAt: at, usedAt: at, idleUntil });
    });

    test('of many concurrent rotations of a generation one succeeds', async () => {
      const { oauth } = await newStore();
      const { id, createdAt: at, idleUntil } = aGrant();
      await oauth.addGrant(aGrant());
      const rotated = await Promise.all(Array.from({ length: 10 }, () => oauth.rotateGrant(id, { from: 1, at, idleUntil })));
      expect(rotated.filter(Boolean)).toHaveLength(1);
      expect(await oauth.grant(id)).toMatchObject({ generation: 2 });
    });

    test.each<[string, Partial<GrantRecord>]>([
      ['ended', { endedAt: 1_000 }],
      ['expired', { expiresAt: 1_000 }],
      ['idle for too long', { idleUntil: 1_000 }],
    ])('a grant that is %s is neither rotated nor used nor listed', async (_why, change) => {
      const { oauth } = await newStore();
      const grant = aGrant(change);
      await oauth.addGrant(grant);
      const at = Date.now();
      expect(await oauth.rotateGrant(grant.id, { from: 1, at, idleUntil: at + DAY })).toBe(false);
      expect(await oauth.useGrant(grant.id, at)).toBe(false);
      expect(await oauth.grantsOf([grant.keyId])).toEqual([]);
      expect(await oauth.grant(grant.id)).toEqual(grant);
    });

    test('the use of a grant is recorded once a minute', async () => {
      const { oauth } = await newStore();
      const { id, usedAt } = aGrant();
      await oauth.addGrant(aGrant({ usedAt }));
      for (const [after, recorded] of [
        [MINUTE, 0],
        [MINUTE + 1, MINUTE + 1],
        [MINUTE + 2, MINUTE + 1],
        [MINUTE, MINUTE + 1],
      ] as const) {
        expect(await oauth.useGrant(id, usedAt + after)).toBe(true);
        expect((await oauth.grant(id))?.usedAt).toBe(usedAt + recorded);
      }
      expect(await oauth.useGrant('none', usedAt)).toBe(false);
    });

    test('a grant ends once, and a key ends all of its own', async () => {
      const { oauth } = await newStore();
      const others = { keyId: 'key_b', id: 'other' };
      for (const change of [{ id: 'one' }, { id: 'two' }, others]) await oauth.addGrant(aGrant(change));
      expect(await oauth.endGrant('one', 5_000)).toBe(true);
      expect(await oauth.endGrant('one', 6_000)).toBe(false);
      expect(await oauth.endGrant('none', 6_000)).toBe(false);
      await oauth.endGrants('key_a', 7_000);
      expect(await oauth.grant('one')).toMatchObject({ endedAt: 5_000 });
      expect(await oauth.grant('two')).toMatchObject({ endedAt: 7_000 });
      expect(await oauth.grant('other')).toMatchObject({ endedAt: null });
    });

    test('the grants of many keys are listed oldest first', async () => {
      const { oauth } = await newStore();
      const { createdAt } = aGrant();
      const [young, old, other] = [
        aGrant({ id: 'a', createdAt }),
        aGrant({ id: 'c', createdAt: createdAt - 1 }),
        aGrant({ id: 'b', createdAt }),
      ];
      await oauth.addGrant(young!);
      await oauth.addGrant(old!);
      await oauth.addGrant({ ...other!, keyId: 'key_b' });
      const none = Array.from({ length: 1_500 }, (_, index) => `none-${index}`);
      expect((await oauth.grantsOf(['key_a', ...none, 'key_b'])).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
      expect((await oauth.grantsOf(['key_a'])).map(({ id }) => id)).toEqual(['c', 'a']);
      expect(await oauth.grantsOf([])).toEqual([]);
    });

    test('grants that ended, expired or idled out before a time are removed', async () => {
      const { oauth } = await newStore();
      const gone = [{ endedAt: 1_000 }, { expiresAt: 1_000 }, { idleUntil: 1_000 }];
      for (const [index, change] of gone.entries()) await oauth.addGrant(aGrant({ ...change, id: `gone${index}` }));
      await oauth.addGrant(aGrant({ id: 'later', endedAt: 2_000 }));
      await oauth.addGrant(aGrant({ id: 'live' }));
      expect(await oauth.removeGrants(2_000)).toBe(3);
      expect(await oauth.grant('gone0')).toBeUndefined();
      expect(await oauth.grant('later')).toBeDefined();
      expect(await oauth.grant('live')).toBeDefined();
      expect(await oauth.removeGrants(2_000)).toBe(0);
    });
  });
}
