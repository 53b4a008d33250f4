import { expect, test } from 'vitest';
import { ADMIN_PATHS, type SearchReportsPage } from '#sdk/protocol/admin';
import type { CreatedKey } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';

test('a member sees an unmet search of several keys or of their own, an owner sees all', async () => {
  const { owner, join, as } = await startConsole();
  await owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  const mia = await join('mia');
  const keyOf = (person: Asker, name: string) => person.json<CreatedKey>('POST', '/v1/keys', { kind: 'agent', name });
  const [first, second, own] = [await keyOf(owner, 'first'), await keyOf(owner, 'second'), await keyOf(mia, 'own')];
  const search = ({ key }: CreatedKey, query: string) => as(key).json('POST', '/v1/search', { query });
  await search(first, 'salary of person one');
  await search(first, 'book a flight');
  await search(second, 'book a flight');
  await search(own, 'water the plants');

  const textsFor = async (person: Asker) =>
    (await person.json<SearchReportsPage>('GET', `${ADMIN_PATHS.searches}?unmet=true`)).searches.map(({ query }) => query).sort();
  await expect.poll(() => textsFor(owner)).toEqual(['book a flight', 'salary of person one', 'water the plants']);
  expect(await textsFor(mia)).toEqual(['book a flight', 'water the plants']);
});
