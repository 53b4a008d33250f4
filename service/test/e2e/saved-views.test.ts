/** Saved views: whose they are, and what may be in them. */
import { expect, test } from 'vitest';
import type { SavedView, SavedViewsPage } from '#sdk/protocol/admin';
import { type Asker, startConsole } from '../../../test/support/console-service';

const refused = { page: 'keys', name: 'Refused', query: '?sort=refused&state=all' };
const save = ({ json }: Asker, body: object) => json<SavedView>('POST', '/v1/views', body);
const namesOf = async ({ json }: Asker) => (await json<SavedViewsPage>('GET', '/v1/views')).views.map(({ name }) => name);

test('a view is private until its owner shares it; only owners share', async () => {
  const { owner, join } = await startConsole();
  const anna = await join('Anna');
  const view = await save(owner, refused);
  expect(view).toEqual({ id: expect.stringMatching(/^view_/), ...refused, shared: false, mine: true });
  expect(await namesOf(anna)).toEqual([]);
  await owner.json('PATCH', `/v1/views/${view.id}`, { shared: true });
  const { views } = await anna.json<SavedViewsPage>('GET', '/v1/views');
  expect(views).toEqual([{ ...view, shared: true, mine: false, owner: expect.any(String) }]);
  const path = `/v1/views/${view.id}`;
  await expect(anna.json('PATCH', path, { name: 'mine' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(anna.json('DELETE', path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(save(anna, { ...refused, shared: true })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });

  const own = await save(anna, { ...refused, name: 'Anna’s' });
  await expect(anna.json('PATCH', `/v1/views/${own.id}`, { shared: true })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await expect(owner.json('DELETE', `/v1/views/${own.id}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await namesOf(anna)).toEqual(['Anna’s', 'Refused']);
  await owner.ask('DELETE', path);
  expect(await namesOf(anna)).toEqual(['Anna’s']);
});

test('a view holds a page and its query string, nothing else, and a person has at most 50', async () => {
  const { owner } = await startConsole();
  for (const wrong of [
    { page: 'people' },
    { name: ' ' },
    { name: 'a\nb' },
    { name: 'x'.repeat(81) },
    { query: 'https://evil.example' },
    { query: '//evil.example' },
    { query: '?a b' },
    { query: `?${'x'.repeat(2_000)}` },
    { rows: [] },
  ])
    await expect(save(owner, { ...refused, ...wrong }), JSON.stringify(wrong)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  for (let number = 1; number <= 50; number++) await save(owner, { ...refused, name: `view ${number}`, query: '' });
  await expect(save(owner, refused)).rejects.toMatchObject({ code: 'NOT_PERMITTED', message: expect.stringContaining('50 saved views') });
});
