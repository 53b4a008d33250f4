/** The audit log as owners search it: filters, groups of equal entries, files. */
import { expect, test } from 'vitest';
import type { AuditPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';

async function busyLog() {
  const service = await startConsole();
  const { owner } = service;
  const anna = await service.join('Anna');
  for (let number = 1; number <= 30; number++) await owner.json('POST', PATHS.keys, { kind: 'agent', name: `robot ${number}` });
  await owner.json('PATCH', '/v1/settings', { retentionDays: 7 });
  for (const name of ['one', 'two']) await anna.json('POST', PATHS.keys, { kind: 'agent', name });
  const audit = (query = '') => owner.json<AuditPage>('GET', `/v1/audit?${query}`);
  return { ...service, anna, audit };
}

test('many equal entries are one, which opens; a role change stays in sight', async () => {
  const { audit } = await busyLog();
  const { entries } = await audit('grouped=true&what=key,settings');
  expect(entries.map(({ what, group }) => [what, group?.count])).toEqual([
    ['key.create', undefined],
    ['key.create', undefined],
    ['settings.change', undefined],
    ['key.create', 30],
  ]);
  const [group] = entries.slice(-1);
  const rest = await audit(`cursor=${group?.id}&since=${group?.group?.since}&limit=200`);
  expect(rest.entries).toHaveLength(29);
  expect(rest.entries.at(-1)?.id).toBe(group?.group?.since);
  expect(new Set(rest.entries.map(({ what }) => what))).toEqual(new Set(['key.create']));
});

test('the pages of groups hold every entry once', async () => {
  const { audit } = await busyLog();
  let counted = 0;
  for (let cursor = ''; ; ) {
    const page = await audit(`grouped=true&limit=2${cursor && `&cursor=${cursor}`}`);
    counted += page.entries.reduce((sum, { group }) => sum + (group?.count ?? 1), 0);
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  expect(counted).toBe((await audit('limit=200')).entries.length);
});

test('words, person, kind and time narrow the list, and the file has the same entries', async () => {
  const { audit, anna, owner } = await busyLog();
  expect((await audit('q=ROBOT%2017')).entries).toHaveLength(1);
  expect((await audit(`person=${anna.id}&what=key`)).entries.map(({ details }) => details.name)).toEqual(['two', 'one']);
  expect((await audit('to=2020-01-01T00:00:00Z')).entries).toEqual([]);
  await expect(audit('what=dog')).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('"dog"') });

  const lines = (await (await owner.ask('GET', '/v1/audit/export?format=jsonl&what=key.create&q=robot')).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual((await audit('what=key.create&q=robot&limit=200')).entries);
  const csv = await owner.ask('GET', '/v1/audit/export?format=csv&what=settings');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
  expect((await csv.text()).split('\r\n')[0]).toBe('id,at,actorKind,actorId,actorName,what,subject,details');
});
