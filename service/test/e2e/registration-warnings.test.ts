/** The linter's findings about a toolkit reach its developer with the registration, and have no other effect. */
import { type LintFinding, SvcError, Toolkit, type ToolkitStatus } from 'svc-sdk';
import type { ToolkitRegistration } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../../../test/support/service';

const rules = (warnings: readonly LintFinding[]) => warnings.map(({ rule, action }) => [rule, action]);

test('warnings are sent with `ready`, and the actions are served', async () => {
  const service = await startService();
  const toolkit = await service.toolkit('shop', (one) => {
    one.action({ action: 'run', actionDescription: 'Does stuff' }, () => 'done');
    one.action({ action: 'find_orders', actionDescription: 'Finds orders of a customer by date' }, () => []);
  });
  const { accepted, warnings, moreWarnings } = await toolkit.ready;
  expect(accepted).toEqual(['shop__run', 'shop__find_orders']);
  expect(rules(warnings)).toEqual([
    ['toolkit-description', undefined],
    ['vague-name', 'shop__run'],
    ['vague-description', 'shop__run'],
  ]);
  for (const { message, hint } of warnings) expect(message.length * hint.length).toBeGreaterThan(1_000);
  expect(moreWarnings).toBe(0);
  const tools = await service.tools();
  expect(await tools.invoke('shop__run', {})).toMatchObject({ result: 'done' });
});

test('a good toolkit has none', async () => {
  const service = await startService();
  const toolkit = await service.toolkit('shop', (one) => {
    void one.updateToolkit({ description: 'Orders and customers of a tea business' });
    one.action({ action: 'find_orders', actionDescription: 'Finds orders of a customer by date' }, () => []);
  });
  expect(await toolkit.ready).toMatchObject({ warnings: [], moreWarnings: 0 });
});

test('a change of the list returns the warnings of the new list', async () => {
  const statuses: ToolkitStatus[] = [];
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key, onStatus: (status) => void statuses.push(status) });
  await toolkit.updateToolkit({ description: 'Orders and customers of a tea business' });
  toolkit.action({ action: 'find_orders', actionDescription: 'Finds orders of a customer by date' }, () => []);
  void toolkit.run();
  onTestFinished(() => toolkit.stop());
  await toolkit.ready;
  toolkit.action({ action: 'delete_order', actionDescription: 'Deletes an order that was not paid yet' }, () => []);
  await vi.waitFor(() =>
    expect(statuses.at(-1)).toMatchObject({
      state: 'connected',
      warnings: [{ rule: 'undeclared-destructive', action: 'shop__delete_order' }],
    }),
  );
});

test('an action that another toolkit has too is reported with its id', async () => {
  const service = await startService();
  const define = (toolkit: Toolkit) => {
    void toolkit.updateToolkit({ description: 'Orders and customers of a tea business' });
    toolkit.action({ action: 'list_users', actionDescription: 'Lists users with name, mail and role' }, () => []);
  };
  expect((await (await service.toolkit('chat', define)).ready).warnings).toEqual([]);
  const { warnings } = await (await service.toolkit('forum', define)).ready;
  expect(warnings).toMatchObject([
    { rule: 'colliding', action: 'forum__list_users', message: expect.stringContaining('"chat__list_users"') },
  ]);
});

test('the second toolkit with a name gets an error, and the first keeps it', async () => {
  const service = await startService();
  const define = (name: string) => (toolkit: Toolkit) => {
    void toolkit.updateToolkit({ name, description: 'Orders and customers of a tea business' });
    toolkit.action({ action: 'find_orders', actionDescription: 'Finds orders of a customer by date' }, () => []);
  };
  const errors = async (toolkit: Toolkit) => (await toolkit.ready).warnings.filter(({ severity }) => severity === 'error');
  const tea = await service.toolkit('tea', define('Tea house'));
  expect(await errors(tea)).toEqual([]);
  expect(await errors(await service.toolkit('other', define('Tеа\u200b HOUSE')))).toMatchObject([
    { rule: 'look-alike-name', message: expect.stringContaining('"tea"') },
    { rule: 'mixed-scripts' },
  ]);
  await tea.updateToolkit({ name: 'TEA HOUSE' });
  expect(await errors(await service.toolkit('third', define('Tea House')))).toMatchObject([
    { rule: 'look-alike-name', message: expect.stringContaining('"tea"') },
  ]);
});

test('the first fifty warnings about a thousand actions are sent, with the number of the others; onRegistration gets all', async () => {
  const told: ToolkitRegistration[] = [];
  const service = await startService({ onRegistration: (registration) => void told.push(registration) });
  const toolkit = await service.toolkit('shop', (one) => {
    for (let i = 0; i < 1_000; i++)
      one.action({ action: `find_${i}_orders`, actionDescription: `Handles ${'stuff '.repeat(i % 7)}` }, () => null);
  });
  const { accepted, warnings, moreWarnings } = await toolkit.ready;
  expect({ accepted: accepted.length, warnings: warnings.length }).toEqual({ accepted: 1_000, warnings: 50 });
  expect(told).toHaveLength(1);
  expect(moreWarnings).toBe((told[0]?.findings.length ?? 0) - 50);
  expect(told[0]).toMatchObject({ toolkit: { id: 'shop' }, accepted, rejected: [] });
});

test('a listener that throws disturbs nothing but the log', async () => {
  const errors: string[] = [];
  const logger = { info: () => {}, warn: () => {}, error: (_fields: object, message: string) => void errors.push(message) };
  const onRegistration = () => {
    throw new SvcError('INTERNAL', 'broken listener');
  };
  const service = await startService({ onRegistration, logger });
  const toolkit = await service.toolkit('shop', (one) => one.action({ action: 'pay', actionDescription: 'Pays an invoice' }, () => 1));
  expect((await toolkit.ready).accepted).toEqual(['shop__pay']);
  expect(errors).toEqual(['onRegistration failed']);
});
