import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { Catalog } from '../../../src/catalog/catalog';
import { ToolkitProfiles } from '../../../src/catalog/toolkit-profiles';
import type { ActionRecord, CatalogStore, ToolkitRecord } from '../../../src/store/store';

async function catalogOf(count: number): Promise<Catalog> {
  const toolkit: ToolkitRecord = { id: 'kit', name: 'kit', description: '', createdAt: 0 };
  const actions = Array.from({ length: count }, (_, i): ActionRecord => {
    return { toolkitId: 'kit', name: `count_${i}`, description: `Counts ${i} things`, payloadSchema: { type: 'object' }, annotations: {} };
  });
  const store = {
    toolkits: async () => [toolkit],
    actions: async () => actions,
    approvals: async () => [],
    rejections: async () => [],
  } as Partial<CatalogStore> as CatalogStore;
  const profiles = new ToolkitProfiles({ get: async () => undefined, put: async () => {} });
  const catalog = new Catalog(store, { limits: DEFAULT_LIMITS, currency: 'USD', profiles });
  await catalog.load();
  return catalog;
}

test('in a large catalogue, megabytes in the place of an id cost no more than an id', async () => {
  const catalog = await catalogOf(2_500);
  const wanted = Array.from({ length: 200_000 }, (_, i) => `kit__count_${i}`).join(' ');
  const start = performance.now();
  expect(() => catalog.requireAction(wanted, () => true)).toThrow(/There is no action/);
  expect(performance.now() - start).toBeLessThan(200);
});
