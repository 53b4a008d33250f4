/** The record of a failed call: the toolkit's own code and message, in the list, its filter, the files and the report; and its duration. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage, type StatsSeries, type ToolkitErrorsPage } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { runToolkit } from '../../../test/support/service';

async function openShop() {
  const service = await startConsole();
  const make = (body: object) => service.owner.json<CreatedKey>('POST', PATHS.keys, body);
  const toolkit = await make({ kind: 'toolkit', name: 'Shop' });
  await runToolkit(service.url, toolkit.key, (shop) => {
    shop.action({ action: 'charge', actionDescription: 'Charges a card' }, (ctx) => {
      throw ctx.error('CARD_DECLINED', 'The bank declined the card, "insufficient funds"');
    });
    shop.action({ action: 'look', actionDescription: 'Looks' }, async () => 'seen');
  });
  const agent = service.as((await make({ kind: 'agent', name: 'agent' })).key);
  const invoke = (action: string) => agent.ask('POST', PATHS.invoke, { action, payload: {} });
  return { service, owner: service.owner, invoke };
}

test.each(['errors', 'off'])("a failed call has the toolkit's own code, and its message while content is %s", async (content) => {
  const { owner, invoke } = await openShop();
  await owner.json('PATCH', ADMIN_PATHS.settings, { content });
  await invoke('shop__charge');
  await invoke('shop__look');

  const listed = () => owner.json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?toolkitCode=CARD_DECLINED`);
  await vi.waitFor(async () => expect((await listed()).invocations).toHaveLength(1));
  const [declined] = (await listed()).invocations;
  expect(declined).toMatchObject({ action: 'shop__charge', code: 'ACTION_FAILED', toolkitCode: 'CARD_DECLINED' });
  const message = 'The bank declined the card, "insufficient funds"';
  await vi.waitFor(async () => expect((await listed()).invocations[0]?.message).toBe(content === 'off' ? undefined : message));
  const other = await owner.json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?toolkitCode=OTHER`);
  expect(other.invocations).toEqual([]);

  const file = await (await owner.ask('GET', `${ADMIN_PATHS.invocations}/export?format=csv&outcome=error`)).text();
  const [head = '', line = ''] = file.split('\r\n');
  expect(head).toMatch(/,toolkitCode,error,charged,currency$/);
  expect(line).toContain(content === 'off' ? ',CARD_DECLINED,,,' : ',CARD_DECLINED,"The bank declined the card, ""insufficient funds""",,');
  expect(await owner.json<ToolkitErrorsPage>('GET', `${ADMIN_PATHS.reports}/toolkits/shop/errors`)).toEqual({
    errors: [{ code: 'CARD_DECLINED', action: 'shop__charge', day: 1, week: 1, lastAt: expect.any(String) }],
  });
});

test('a duration is measured from the arrival of the request, whatever the clock of the wall does, and is the same in record and count', async () => {
  const { owner, invoke } = await openShop();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await invoke('shop__look');
  const listed = () => owner.json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?outcome=ok`);
  await vi.waitFor(async () => expect((await listed()).invocations).toHaveLength(1));
  const [call] = (await listed()).invocations;
  expect(call?.ms).toBeGreaterThan(0);
  const series = () => owner.json<StatsSeries>('GET', `${ADMIN_PATHS.stats}/series`);
  await vi.waitFor(async () => expect((await series()).total.calls).toBe(1));
  // The count ends with the answer, after the record; its buckets are 10 % wide.
  expect((await series()).total.p50Ms).toBeGreaterThanOrEqual((call?.ms ?? 0) * 0.9 - 0.1);
});
