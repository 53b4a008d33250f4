import { expect, test } from 'vitest';
import { lintInCatalog, lintToolkit } from '../../../src/catalog/lint';
import { runAtOnce } from '../../../src/lib/steps';
import { action } from './linted';

const description = 'Orders and customers of a tea business';
const toolkit = (parts: { id?: string; name?: string } = {}, actions = [action('find_orders')]) => ({
  id: 'shop',
  name: 'Shop',
  description,
  actions,
  ...parts,
});
const rulesOf = (parts: { id?: string; name?: string }) =>
  lintToolkit(toolkit(parts))
    .filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule);

test.each(['svc', 'SVC', 'S V C', 'ЅVC', 'System', 'Systern', 'SVC SDK', 'System Service', 'svc official', 'The System', 'svc-sdk tools'])(
  'the name %s is reserved',
  (name) => expect(rulesOf({ name })).toContain('reserved-name'),
);

test.each(['svc-2', 'system', 'system-tools'])('the id %s is reserved, even if only its name imitates the service', (id) => {
  expect(rulesOf({ id, name: id === 'svc-2' ? 'svc' : 'Shop' })).toContain('reserved-name');
});

test.each(['Solar system', 'System of record for tea', 'Service desk', 'Admin tools', 'SVCS'])('the name %s is free', (name) =>
  expect(rulesOf({ name })).toEqual([]),
);

test.each(['search_services', 'Search-Services', 'invoke_service', 'invokeService', 'svc__read_result', 'system__run'])(
  'the action name %s is reserved',
  (name) => {
    expect(lintToolkit(toolkit({}, [action(name)])).filter(({ severity }) => severity === 'error')).toMatchObject([
      { rule: 'reserved-name', action: `shop__${name}` },
    ]);
  },
);

test.each(['Gіthub', 'Googlе Drive', 'αpple', 'ΟpenAI', 'Аpple', 'сοde'])('the name %s mixes scripts', (name) =>
  expect(rulesOf({ name })).toContain('mixed-scripts'),
);

test.each(['Погода API', '天気API', 'LINEแชท', '카카오Talk', 'Σύνολο', 'Łódź', 'Ελλάδα Maps'])('the name %s does not', (name) =>
  expect(rulesOf({ name })).toEqual([]),
);

test('a look-alike of an earlier toolkit is an error, and so is an action that begins with the id of another one', () => {
  const owners = {
    imitatedBy: () => 'slack',
    firstWith: (name: string) => ({ slack: 'slack', shop: 'shop' })[name],
  };
  const actions = [action('find_orders'), action('slack__send'), action('shop__find'), action('__send'), action('slack_send')];
  const errors = runAtOnce(lintInCatalog(toolkit({ name: 'SIack' }, actions), [], owners)).filter(({ severity }) => severity === 'error');
  expect(errors).toMatchObject([
    { rule: 'look-alike-name', message: expect.stringContaining('"slack"') },
    { rule: 'look-alike-name', action: 'shop__slack__send' },
  ]);
});
