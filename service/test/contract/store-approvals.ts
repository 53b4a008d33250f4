/** The contract of every store for questions to a person about calls. */
import { describe, expect, test } from 'vitest';
import type { NewCallApproval } from '../../src/store/approval-store';
import type { Store } from '../../src/store/store';
import { aCall, aGrant, aKey, hashOf, OK } from './store-records';

const MINUTE = 60_000;
const FULL = { forMs: MINUTE, maxPending: 100 };
let made = 0;

const anApproval = (change: Partial<NewCallApproval> = {}): NewCallApproval => ({
  ...{ id: `apr_${String(made++).padStart(6, '0')}`, agentKeyId: 'key_a', grantId: null, userId: 'u_1', sessionId: 'chat' },
  ...{ action: 'shop__buy', actionVersion: 'v1', requestHash: hashOf('buy'), payload: { sealed: 'sealed "ä', sealedBy: 'k1' } },
  ...{ price: 2n ** 60n, currency: 'EUR', connection: 'con_1 octocat', connectionName: 'work', rule: '{"do":"ask"}', decider: 'people' },
  ...{ timeoutMs: 30_000, caller: '{"userId":"u_1"}' },
  ...change,
});

export function approvalContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: approvals`, () => {
    test('a question is read unchanged, and equal calls share it, also at once', async () => {
      const { approvals } = await newStore();
      const equal = Array.from({ length: 50 }, () => anApproval());
      const added = await Promise.all(equal.map((approval) => approvals.add(approval, FULL)));
      expect(added.toSorted()).toEqual(['added', ...Array.from({ length: 49 }, () => 'exists')]);
      const one = equal[added.indexOf('added')]!;
      const times = {
        createdAt: expect.any(Number),
        expiresAt: expect.any(Number),
        readAt: expect.any(Number),
        tellAt: expect.any(Number),
      };
      const nothing = {
        decidedAt: null,
        decidedBy: null,
        decidedByName: null,
        reason: null,
        endedAt: null,
        sessionUntil: null,
        told: null,
      };
      const read = { ...one, ...times, ...nothing, status: 'pending', invocationId: null, taken: false, tellTries: 0 };
      expect(await approvals.find(one.id)).toEqual(read);
      const found = await approvals.ofEqualCalls('key_a', hashOf('buy'));
      expect(found).toEqual([read]);
      expect(Math.abs(found[0]!.expiresAt - found[0]!.createdAt - MINUTE)).toBeLessThan(MINUTE / 2);
      expect(await approvals.find('apr_none')).toBeUndefined();
      const free = anApproval({ requestHash: hashOf('free'), price: null, currency: null, payload: null, rule: null, connection: null });
      expect(await approvals.add(free, FULL)).toBe('added');
      expect(await approvals.find(free.id)).toMatchObject({ price: null, payload: null, rule: null, connection: null });
    });

    test('a key has at most so many questions, and other keys do not count', async () => {
      const { approvals } = await newStore();
      const ask = (agentKeyId: string, text: string) =>
        approvals.add(anApproval({ agentKeyId, requestHash: hashOf(text) }), { forMs: MINUTE, maxPending: 2 });
      expect([await ask('key_a', '1'), await ask('key_b', '1'), await ask('key_a', '2'), await ask('key_a', '3')]).toEqual([
        ...['added', 'added', 'added'],
        'full',
      ]);
    });

    test('of many decisions at once one succeeds, and a late one does not', async () => {
      const { approvals } = await newStore();
      const approval = anApproval();
      await approvals.add(approval, FULL);
      const by = { decidedBy: 'ada', decidedByName: 'Ada', reason: 'ä "why"' };
      const decisions = Array.from({ length: 10 }, (_, index) =>
        approvals.change(approval.id, 'pending', {
          ...by,
          status: index % 2 === 0 ? 'approved' : 'denied',
          invocationId: 'inv_1',
          sessionMs: 9_000,
        }),
      );
      expect((await Promise.all(decisions)).filter(Boolean)).toHaveLength(1);
      expect(await approvals.find(approval.id)).toMatchObject({ ...by, invocationId: 'inv_1', decidedAt: expect.any(Number) });
      expect(await approvals.change(approval.id, 'pending', { status: 'denied' })).toBe(false);

      const late = anApproval({ requestHash: hashOf('late') });
      await approvals.add(late, { ...FULL, forMs: -1 });
      expect(await approvals.change(late.id, 'pending', { status: 'approved' })).toBe(false);
      expect(await approvals.expire()).toEqual([late.id]);
      expect(await approvals.expire()).toEqual([]);
      expect(await approvals.find(late.id)).toMatchObject({ status: 'expired', endedAt: expect.any(Number) });
      expect(await approvals.add(anApproval({ requestHash: hashOf('late') }), FULL)).toBe('added');
    });

    test('a run ends once: the payload goes, and one caller takes the outcome', async () => {
      const { approvals } = await newStore();
      const approval = anApproval();
      await approvals.add(approval, FULL);
      await approvals.change(approval.id, 'pending', { status: 'approved', invocationId: 'inv_1' });
      expect((await approvals.unfinished('approved', 10)).map(({ id }) => id)).toEqual([approval.id]);
      await approvals.ended(approval.id);
      expect(await approvals.find(approval.id)).toMatchObject({ payload: { sealedBy: 'k1' }, endedAt: null });
      expect(await approvals.change(approval.id, 'approved', { status: 'used' })).toBe(true);
      expect((await approvals.unfinished('used', 10)).map(({ id }) => id)).toEqual([approval.id]);
      await approvals.ended(approval.id);
      expect(await approvals.find(approval.id)).toMatchObject({ payload: null, endedAt: expect.any(Number) });
      expect(await approvals.unfinished('used', 10)).toEqual([]);
      const taken = await Promise.all(Array.from({ length: 5 }, () => approvals.take(approval.id)));
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    test('callers are remembered, up to a number', async () => {
      const { approvals } = await newStore();
      for (const key of ['k1', 'k1', 'k2', 'k3']) await approvals.addCaller('apr_1', key, 2);
      const has = await Promise.all(['k1', 'k2', 'k3'].map((key) => approvals.hasCaller('apr_1', key)));
      expect(has).toEqual([true, true, false]);
      expect(await approvals.hasCaller('apr_2', 'k1')).toBe(false);
    });

    test('an approval of a session holds for its action until it ends', async () => {
      const { approvals } = await newStore();
      const approval = anApproval();
      await approvals.add(approval, FULL);
      await approvals.change(approval.id, 'pending', { status: 'approved', sessionMs: MINUTE });
      const idsOf = async (...place: [string, string, string]) => (await approvals.ofSession(...place)).map(({ id }) => id);
      expect(await idsOf('key_a', 'chat', 'shop__buy')).toEqual([approval.id]);
      expect(await idsOf('key_b', 'chat', 'shop__buy')).toEqual([]);
      expect(await idsOf('key_a', 'other', 'shop__buy')).toEqual([]);
      expect(await idsOf('key_a', 'chat', 'shop__sell')).toEqual([]);
      expect((await approvals.list({ standing: true, limit: 10 })).map(({ id }) => id)).toEqual([approval.id]);
      expect([await approvals.endSession(approval.id), await approvals.endSession(approval.id)]).toEqual([true, false]);
      expect(await idsOf('key_a', 'chat', 'shop__buy')).toEqual([]);
    });

    test('questions of ended keys and grants are withdrawn', async () => {
      const { approvals, keys, oauth } = await newStore();
      const [live, revoked, expired] = [aKey(), aKey(), aKey({ expiresAt: Date.now() - 1_000 })];
      for (const key of [live, revoked, expired]) await keys.insert(key);
      await keys.revoke(revoked.id, 5);
      const alone = anApproval({ agentKeyId: live.id, requestHash: hashOf('alone') });
      await approvals.add(alone, FULL);
      expect(await approvals.withdrawEnded()).toEqual([]);
      await approvals.change(alone.id, 'pending', { status: 'denied' });
      await oauth.addGrant(aGrant({ id: 'good', keyId: live.id }));
      await oauth.addGrant(aGrant({ id: 'ended', keyId: live.id, endedAt: Date.now() - 1 }));
      const asked = [
        { agentKeyId: live.id },
        { agentKeyId: live.id, grantId: 'good' },
        { agentKeyId: live.id, grantId: 'ended' },
        { agentKeyId: live.id, grantId: 'none' },
        { agentKeyId: revoked.id },
        { agentKeyId: expired.id },
        { agentKeyId: 'key_none' },
      ].map((change, index) => anApproval({ ...change, requestHash: hashOf(`${index}`) }));
      for (const approval of asked) await approvals.add(approval, FULL);
      expect((await approvals.withdrawEnded()).toSorted()).toEqual(asked.slice(2).map(({ id }) => id));
      expect(await approvals.find(asked[2]!.id)).toMatchObject({ status: 'withdrawn', endedAt: expect.any(Number) });
      expect((await approvals.pending(-MINUTE)).map(({ id }) => id).toSorted()).toEqual(asked.slice(0, 2).map(({ id }) => id));
      expect(await approvals.pending(MINUTE)).toEqual([]);
    });

    test('approvals are listed newest first, by key and status, in pages', async () => {
      const { approvals } = await newStore();
      const asked = ['a', 'b', 'a', 'b', 'a'].map((key, index) =>
        anApproval({ agentKeyId: `key_${key}`, requestHash: hashOf(`${index}`) }),
      );
      for (const approval of asked) await approvals.add(approval, FULL);
      await approvals.change(asked[4]!.id, 'pending', { status: 'denied' });
      const idsOf = async (...query: Parameters<typeof approvals.list>) =>
        (await approvals.list(...query)).map(({ id }) => asked.findIndex((one) => one.id === id));
      expect(await idsOf({ limit: 10 })).toEqual([4, 3, 2, 1, 0]);
      expect(await idsOf({ limit: 2, before: asked[3]!.id })).toEqual([2, 1]);
      expect(await idsOf({ limit: 10, agentKeyIds: ['key_a'] })).toEqual([4, 2, 0]);
      expect(await idsOf({ limit: 10, agentKeyIds: [] })).toEqual([]);
      expect(await idsOf({ limit: 10, agentKeyIds: ['key_a', 'key_b'], statuses: ['pending'] })).toEqual([3, 2, 1, 0]);
    });

    test('a message is claimed by one node, sent again after a failure, and followed by that of the decision', async () => {
      const { approvals } = await newStore();
      const approval = anApproval();
      await approvals.add(approval, FULL);
      expect(await approvals.hasMessages()).toBe(true);
      const claimed = await Promise.all(Array.from({ length: 4 }, () => approvals.claimMessages(10, MINUTE)));
      expect(claimed.flat().map(({ id, tellTries }) => [id, tellTries])).toEqual([[approval.id, 1]]);
      await approvals.messageFailed(approval.id, -1);
      expect((await approvals.claimMessages(10, MINUTE)).map(({ tellTries }) => tellTries)).toEqual([2]);
      await approvals.change(approval.id, 'pending', { status: 'denied' });
      await approvals.messageSent(approval.id, 'requested');
      expect(await approvals.claimMessages(10, MINUTE)).toMatchObject([{ status: 'denied', told: 'requested', tellTries: 1 }]);
      await approvals.messageSent(approval.id, 'decided');
      expect(await approvals.hasMessages()).toBe(false);
      expect(await approvals.claimMessages(10, MINUTE)).toEqual([]);
    });

    test('ended approvals are removed with their callers after a time', async () => {
      const { approvals } = await newStore();
      const [open, ended, standing] = ['open', 'ended', 'standing'].map((text) => anApproval({ requestHash: hashOf(text) }));
      for (const approval of [open!, ended!, standing!]) await approvals.add(approval, FULL);
      await approvals.addCaller(ended!.id, 'k1', 100);
      await approvals.change(ended!.id, 'pending', { status: 'denied' });
      await approvals.change(standing!.id, 'pending', { status: 'approved', sessionMs: MINUTE });
      await approvals.change(standing!.id, 'approved', { status: 'used' });
      await approvals.ended(standing!.id);
      expect(await approvals.remove(MINUTE)).toBe(0);
      expect(await approvals.remove(-MINUTE)).toBe(1);
      expect(await approvals.hasCaller(ended!.id, 'k1')).toBe(false);
      expect((await approvals.list({ limit: 10 })).map(({ id }) => id)).toEqual([standing!.id, open!.id]);
    });

    test('the history of an action counts the calls of one key', async () => {
      const { approvals, invocations } = await newStore();
      const none = { calls: 0, ok: 0, failed: 0, lastAt: null };
      expect(await approvals.history('key_h', 'shop__buy', MINUTE)).toEqual(none);
      const start = (change: object) => ({ ...aCall(), agentKeyId: 'key_h', action: 'shop__buy', startedAt: Date.now(), ...change });
      const [ok, failed, asked, other] = [start({}), start({}), start({}), start({ action: 'shop__sell' })];
      for (const call of [ok, failed, asked, other]) await invocations.start(call);
      await invocations.end(ok.id, { ...OK, endedAt: Date.now() });
      await invocations.end(failed.id, { code: 'ACTION_FAILED', body: null, endedAt: Date.now() });
      // A question is not a failure of the action.
      await invocations.end(asked.id, { code: 'APPROVAL_REQUIRED', body: null, endedAt: Date.now() });
      const history = () => approvals.history('key_h', 'shop__buy', MINUTE * 60 * 24 * 365 * 100);
      await expect.poll(history).toEqual({ calls: 2, ok: 1, failed: 1, lastAt: Math.max(ok.startedAt, failed.startedAt) });
    });
  });
}
