import { describe, expect, test } from 'vitest';
import type { FoundAlert } from '../../src/store/alert-store';
import type { Store } from '../../src/store/store';

const found = (change: Partial<FoundAlert> = {}): FoundAlert => ({
  kind: 'toolkit-offline',
  subject: 'weather',
  severity: 'critical',
  text: 'Toolkit "weather" is offline',
  link: '/toolkits/weather',
  toolkitId: 'weather',
  ...change,
});

const OPEN = { state: 'open', limit: 10 } as const;
const LEASE_MS = 60_000;

export function alertContract(name: string, setUp: () => Promise<Store>): void {
  describe(`${name}: alerts`, () => {
    test('one caller among many gets the turn', async () => {
      const { alerts } = await setUp();
      const turns = await Promise.all(Array.from({ length: 5 }, () => alerts.takeTurn(60_000)));
      expect(turns.filter(Boolean)).toHaveLength(1);
      expect(await alerts.takeTurn(60_000)).toBe(false);
    });

    test('of two equal alerts one begins, until it ends', async () => {
      const { alerts } = await setUp();
      await Promise.all([alerts.begin('alr_1', found(), ['one']), alerts.begin('alr_2', found(), ['one'])]);
      const [alert, ...others] = await alerts.list(OPEN);
      expect(others).toEqual([]);
      expect(alert).toMatchObject({ subject: 'weather', severity: 'critical', endedAt: null, keyId: null });
      const id = alert?.id ?? '';
      expect((await alerts.claimMessages(10, LEASE_MS)).map(({ alert, event, tries }) => [alert.id, event, tries])).toEqual([
        [id, 'begun', 1],
      ]);
      await alerts.change(id, { severity: 'warning', text: 'other', link: '/' });
      await alerts.end(id);
      await alerts.end(id);
      expect(await alerts.list(OPEN)).toEqual([]);
      expect(await alerts.list({ state: 'ended', limit: 10 })).toMatchObject([{ id, text: 'other', endedAt: expect.any(Number) }]);
      await alerts.begin('alr_3', found(), []);
      expect(await alerts.list(OPEN)).toHaveLength(1);
    });

    test('a muted one ends without a message, also without the one that waits', async () => {
      const { alerts } = await setUp();
      await alerts.begin('alr_1', found(), ['one']);
      await alerts.begin('alr_2', found({ subject: 'maps' }), ['one']);
      await alerts.mute('alr_1');
      expect(await alerts.list(OPEN)).toMatchObject([{ id: 'alr_2' }]);
      const [claimed, ...others] = await alerts.claimMessages(10, LEASE_MS);
      expect([claimed?.alert.id, others]).toEqual(['alr_2', []]);
      if (claimed) await alerts.messageSent(claimed);
      await alerts.mute('alr_2');
      expect(await alerts.hasMessages()).toBe(false);
      expect(await alerts.targetStates()).toMatchObject([{ target: 'one', waiting: 0, lastSentAt: expect.any(Number) }]);
      await alerts.begin('alr_3', found(), ['one']);
      expect(await alerts.list(OPEN)).toHaveLength(1);
    });

    test('are shown to the members of their toolkit and key', async () => {
      const { alerts } = await setUp();
      await alerts.begin('alr_1', found(), []);
      await alerts.begin('alr_2', found({ kind: 'key-expiry', subject: 'key_1', toolkitId: undefined, keyId: 'key_1' }), []);
      await alerts.begin('alr_3', found({ kind: 'backup-old', subject: '', toolkitId: undefined }), []);
      const seenBy = async (toolkitIds: string[], keyIds: string[]) =>
        (await alerts.list({ ...OPEN, visible: { toolkitIds, keyIds } })).map(({ id }) => id);
      expect(await seenBy([], [])).toEqual([]);
      expect(await seenBy(['weather'], [])).toEqual(['alr_1']);
      expect(await seenBy(['weather'], ['key_1'])).toEqual(['alr_2', 'alr_1']);
      expect(await alerts.list(OPEN)).toHaveLength(3);
    });

    test('send their last message after the first one, to each target', async () => {
      const { alerts } = await setUp();
      await alerts.begin('alr_1', found(), ['one', 'two']);
      await alerts.end('alr_1');
      const first = await alerts.claimMessages(10, LEASE_MS);
      expect(first.map(({ target, event }) => [target, event])).toEqual([
        ['one', 'begun'],
        ['two', 'begun'],
      ]);
      expect(await alerts.claimMessages(10, LEASE_MS)).toEqual([]);
      const [one, two] = first;
      if (!one || !two) throw new Error('not claimed');
      await alerts.messageSent(one);
      await alerts.messageFailed(two, { error: 'it answered 500', againMs: 60_000 });
      expect((await alerts.claimMessages(10, LEASE_MS)).map(({ target, event }) => [target, event])).toEqual([['one', 'ended']]);
      expect(await alerts.hasMessages()).toBe(false);
      expect(await alerts.targetStates()).toMatchObject([
        { target: 'one', waiting: 1, lastSentAt: expect.any(Number), failing: null },
        { target: 'two', waiting: 2, lastSentAt: null, failing: { error: 'it answered 500', tries: 1 } },
      ]);
      await alerts.removeTarget('two');
      expect(await alerts.targetStates()).toHaveLength(1);
    });

    test('that ended are removed by age, with their messages', async () => {
      const { alerts, system } = await setUp();
      await alerts.begin('alr_1', found(), ['one']);
      await alerts.begin('alr_2', found({ subject: 'other' }), ['one']);
      await alerts.end('alr_1');
      await alerts.prune((await system.now()) + 60_000);
      expect(await alerts.list({ state: 'ended', limit: 10 })).toEqual([]);
      expect((await alerts.claimMessages(10, LEASE_MS)).map(({ alert }) => alert.id)).toEqual(['alr_2']);
    });

    test('the store knows its size, the sizes before and its last backup', async () => {
      const { system } = await setUp();
      expect(await system.bytes()).toBeGreaterThan(4_096);
      await system.recordSize(1_000);
      await system.recordSize(2_000);
      expect((await system.sizes(0)).map(({ bytes }) => bytes)).toEqual([1_000]);
      expect(await system.lastBackup()).toBeUndefined();
      await system.recordBackup();
      expect((await system.now()) - ((await system.lastBackup()) ?? 0)).toBeLessThan(60_000);
      expect(await system.silentNodes(60_000)).toEqual([]);
    });
  });
}
