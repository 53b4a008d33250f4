/** The contract of every store for saved views. */
import { describe, expect, test } from 'vitest';
import type { SavedViewRecord } from '../../src/store/saved-view-store';
import type { Store } from '../../src/store/store';
import { aPerson } from './store-records';

const aView = (change: Partial<SavedViewRecord> = {}): SavedViewRecord => ({
  id: 'view_1',
  ownerId: 'per_1',
  page: 'keys',
  name: 'Refused',
  query: '?sort=refused',
  shared: false,
  createdAt: 1_700_000_000_000,
  ...change,
});

export function savedViewContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: saved views`, () => {
    const withPeople = async () => {
      const store = await newStore();
      for (const id of ['per_1', 'per_2'])
        await store.accounts.tables
          .insertInto('people')
          .values(aPerson({ id, role: 'owner', email: `${id}@example.com` }))
          .execute();
      return store;
    };

    test('a person sees their own views and the shared ones, by name', async () => {
      const { savedViews } = await withPeople();
      const views = [
        aView({ id: 'view_1', name: 'b' }),
        aView({ id: 'view_2', name: 'a', ownerId: 'per_2', shared: true }),
        aView({ id: 'view_3', name: 'c', ownerId: 'per_2' }),
      ];
      for (const view of views) await savedViews.insert(view);
      expect(await savedViews.list('per_1')).toEqual([views[1], views[0]]);
      expect(await savedViews.list('nobody')).toEqual([views[1]]);
      expect(await savedViews.count('per_2')).toBe(2);
    });

    test('a view is changed and removed', async () => {
      const { savedViews } = await withPeople();
      await savedViews.insert(aView());
      expect(await savedViews.change('view_1', {})).toBe(true);
      expect(await savedViews.find('view_1')).toEqual(aView());
      expect(await savedViews.change('view_1', { name: 'Größe 🌤️', query: '', shared: true })).toBe(true);
      expect(await savedViews.find('view_1')).toEqual(aView({ name: 'Größe 🌤️', query: '', shared: true }));
      expect(await savedViews.remove('view_1')).toBe(true);
      expect(await savedViews.remove('view_1')).toBe(false);
      expect(await savedViews.change('view_1', { name: 'x' })).toBe(false);
      expect(await savedViews.find('view_1')).toBeUndefined();
    });

    test('the views of a person leave with the account', async () => {
      const { accounts, savedViews } = await withPeople();
      await savedViews.insert(aView({ shared: true }));
      expect(await accounts.remove('per_1')).toBe(true);
      expect(await savedViews.list('per_2')).toEqual([]);
    });
  });
}
