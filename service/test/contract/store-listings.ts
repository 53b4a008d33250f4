import { describe, expect, test } from 'vitest';
import type { VersionText } from '../../src/store/listing-store';
import type { Store } from '../../src/store/store';

const MINUTES_A_DAY = 1_440;

const version = (change: Partial<VersionText> = {}): VersionText => {
  return { toolkitId: 'shop', name: 'get', number: 1, at: 5, hash: 'a', text: '{}', ...change };
};

export function listingContract(name: string, setUp: () => Promise<Store>): void {
  describe(`${name}: listings of toolkits`, () => {
    test('a minute counts once, whichever node counts it', async () => {
      const { listings } = await setUp();
      const first = 100 * MINUTES_A_DAY;
      await Promise.all([listings.countMinute(first, ['shop', 'bank']), listings.countMinute(first, ['bank', 'shop'])]);
      await listings.countMinute(first + 1, ['bank']);
      await listings.countMinute(first + 1, ['bank', 'shop']);
      // The clock of this node is behind.
      await listings.countMinute(first, ['shop']);
      await listings.countMinute(first + MINUTES_A_DAY, []);
      expect(await listings.uptime('shop', 100)).toEqual([
        { day: 100, online: 2, counted: 2 },
        { day: 101, online: 0, counted: 1 },
      ]);
      expect(await listings.uptime('bank', 101)).toEqual([{ day: 101, online: 0, counted: 1 }]);
      await listings.prune(101);
      expect((await listings.uptime('shop', 0)).map(({ day }) => day)).toEqual([101]);
    });

    test('versions of actions are kept up to a number, and the first writer of a number wins', async () => {
      const { listings } = await setUp();
      await listings.addVersions([version(), version({ name: 'put', at: 6 }), version({ toolkitId: 'bank' })], 2);
      await listings.addVersions([version({ hash: 'other' })], 2);
      await listings.addVersions([version({ number: 2, at: 7, hash: '', text: null })], 2);
      await listings.addVersions([version({ number: 3, at: 8, hash: 'c' })], 2);
      expect(await listings.versions('shop', 10)).toEqual([
        version({ number: 3, at: 8, hash: 'c' }),
        version({ number: 2, at: 7, hash: '', text: null }),
        version({ name: 'put', at: 6 }),
      ]);
      expect(await listings.lastVersions(['bank'])).toEqual([{ toolkitId: 'bank', name: 'get', number: 1, hash: 'a' }]);
      expect((await listings.lastVersions()).map(({ toolkitId, name, number }) => `${toolkitId} ${name} ${number}`).sort()).toEqual([
        'bank get 1',
        'shop get 3',
        'shop put 1',
      ]);
      await listings.removeToolkit('shop');
      expect(await listings.versions('shop', 10)).toEqual([]);
    });

    test('a person is a publisher until they take it back', async () => {
      const { listings } = await setUp();
      await listings.setPublisher('person_1', true);
      await listings.setPublisher('person_1', true);
      await listings.setPublisher('person_2', true);
      expect(await listings.publishers()).toEqual(['person_1', 'person_2']);
      await listings.setPublisher('person_1', false);
      expect(await listings.publishers()).toEqual(['person_2']);
    });
  });
}
