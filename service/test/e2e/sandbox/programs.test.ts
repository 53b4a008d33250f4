import { expect, test } from 'vitest';
import { resultOf, testSandbox } from '../../support/programs';

test('a program calls actions and returns a value', async () => {
  const { run } = testSandbox();
  const end = await run(`
    console.log('begins', { n: 1 });
    const { ok, data } = await tools.shop.get_order({ id: 7 });
    return { ok, data };`);
  expect(end).toEqual({
    status: 'done',
    resultJson: '{"ok":true,"data":{"kind":"invoke","action":"shop__get_order","payload":{"id":7}}}',
    log: 'begins {"n":1}',
    content: [],
    calls: 1,
  });
  expect(resultOf(end)).toMatchObject({ ok: true });
});
