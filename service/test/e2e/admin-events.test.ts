/** GET /v1/events: the receivers, the contents, the rate and the end of events. */
import { expect, onTestFinished, test } from 'vitest';
import type { ChangeEvent, SearchReportsPage, StatsSeries } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { type SignedInPerson, startConsole } from '../../../test/support/console-service';

async function listen(person: SignedInPerson) {
  const cut = new AbortController();
  onTestFinished(() => cut.abort());
  const response = await person.ask('GET', ADMIN_PATHS.events, undefined, { signal: cut.signal });
  const heard: { at: number; changed: ChangeEvent['changed'] }[] = [];
  const ended = (async () => {
    let text = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^event: change\ndata: (.*)$/.exec(event) ?? [];
        if (data) heard.push({ at: performance.now(), ...(JSON.parse(data) as ChangeEvent) });
      }
    }
  })().catch(() => {});
  return { response, heard, ended };
}

test('changes are sent together, at most once a second; members receive no events about people', async () => {
  const service = await startConsole();
  const anna = await service.join('anna');
  const [owner, member] = [await listen(service.owner), await listen(anna)];
  expect(owner.response.headers.get('cache-control')).toBe('no-store');
  for (let number = 0; number < 5; number++) await service.owner.ask('POST', PATHS.keys, { kind: 'agent', name: `key ${number}` });
  await service.owner.ask('POST', ADMIN_PATHS.invitations, { role: 'member' });
  const all = ({ heard }: typeof owner) => new Set(heard.flatMap(({ changed }) => changed));
  await expect.poll(() => [...all(owner)].sort()).toEqual(expect.arrayContaining(['keys', 'people']));
  await expect.poll(() => [...all(member)]).toContain('keys');
  expect(all(member).has('people')).toBe(false);
  const gaps = owner.heard.slice(1).map(({ at }, index) => at - (owner.heard[index]?.at ?? 0));
  for (const gap of gaps) expect(gap).toBeGreaterThan(800);
});

test('a stream begins with the changes shortly before its opening, because a page may have read its data earlier', async () => {
  const service = await startConsole();
  await service.owner.ask('POST', PATHS.keys, { kind: 'agent', name: 'just before' });
  const { heard } = await listen(service.owner);
  await expect.poll(() => heard[0]?.changed).toEqual(expect.arrayContaining(['keys', 'people']));
});

test('after an event about counts or searches the new counts can be read', async () => {
  const service = await startConsole();
  const tools = await service.tools({}, { name: 'shop assistant' });
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  const { heard } = await listen(service.owner);
  const told = (what: ChangeEvent['changed'][number]) => heard.some(({ changed }) => changed.includes(what));
  await tools.invoke('nobody__home', {}).catch(() => {});
  await tools.search('teleport');
  await expect.poll(() => told('counts') && told('searches')).toBe(true);
  const { total } = await service.owner.json<StatsSeries>('GET', `${ADMIN_PATHS.stats}/series`);
  expect(total.calls).toBe(1);
  const { searches } = await service.owner.json<SearchReportsPage>('GET', ADMIN_PATHS.searches);
  expect(searches.map(({ query }) => query)).toEqual(['teleport']);
});

test('a stream ends when its person is signed out, and with the service', async () => {
  const service = await startConsole();
  const anna = await service.join('anna');
  const [owner, member] = [await listen(service.owner), await listen(anna)];
  await anna.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {});
  await service.owner.ask('POST', PATHS.keys, { kind: 'agent', name: 'change' });
  await member.ended;
  expect(member.heard).toEqual([]);
  await service.close();
  await owner.ended;
});

test('one person has at most 20 streams', async () => {
  const service = await startConsole();
  await Promise.all(Array.from({ length: 20 }, () => listen(service.owner)));
  const refused = await listen(service.owner);
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '15']);
});
