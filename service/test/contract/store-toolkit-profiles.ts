import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store';
import type { ToolkitProfileRecord } from '../../src/store/toolkit-profile-store';
import { aToolkit } from './store-records';

const WHOLE: ToolkitProfileRecord = {
  toolkitId: 'weather',
  readme: `# Weather 🌤️\n${'é'.repeat(30_000)}`,
  iconType: 'image/png',
  icon: 'a'.repeat(87_384),
  homepage: 'https://example.com/',
  category: 'data',
  version: '1.4.0',
  changedAt: 2 ** 41,
};
const EMPTY: ToolkitProfileRecord = { toolkitId: 'maps', changedAt: 1 };

export function toolkitProfileContract(name: string, setUp: () => Promise<Store>): void {
  describe(`${name}: profiles of toolkits`, () => {
    test('are read whole one by one, and without their README and icon in a list', async () => {
      const { toolkitProfiles } = await setUp();
      await toolkitProfiles.put(WHOLE);
      await toolkitProfiles.put(EMPTY);
      expect(await toolkitProfiles.get('weather')).toEqual(WHOLE);
      expect(await toolkitProfiles.get('maps')).toEqual(EMPTY);
      expect(await toolkitProfiles.get('other')).toBeUndefined();
      const { readme: _, icon: __, ...summary } = WHOLE;
      expect(await toolkitProfiles.list(['weather', 'maps', 'other'])).toEqual(
        new Map<string, unknown>([
          ['weather', summary],
          ['maps', EMPTY],
        ]),
      );
      expect(await toolkitProfiles.list([])).toEqual(new Map());
    });

    test('are replaced as a whole, and removed with their toolkit', async () => {
      const { toolkitProfiles, catalog } = await setUp();
      for (const id of ['weather', 'maps']) await catalog.insertToolkit(aToolkit(id));
      await toolkitProfiles.put(WHOLE);
      await toolkitProfiles.put(EMPTY);
      await toolkitProfiles.put({ ...EMPTY, toolkitId: 'weather' });
      expect(await toolkitProfiles.get('weather')).toEqual({ ...EMPTY, toolkitId: 'weather' });
      await catalog.removeToolkit('weather', 1);
      expect(await toolkitProfiles.get('weather')).toBeUndefined();
      expect(await toolkitProfiles.get('maps')).toEqual(EMPTY);
    });
  });
}
