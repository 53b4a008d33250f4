import { expect, test } from 'vitest';
import { lintToolkit } from '../../../src/catalog/lint';
import { action, findingsOf } from './linted';

const described = (texts: Record<string, string>) => Object.entries(texts).map(([name, description]) => action(name, { description }));
const colliding = (texts: Record<string, string>) =>
  findingsOf(described(texts))
    .filter(({ rule }) => rule === 'colliding')
    .map(({ action: id, message }) => [id, /"(.*?)"/.exec(message)?.[1]]);

test('actions of the same words are reported once, with the earlier action', () => {
  expect(
    colliding({
      get_customer: 'Gets a customer with name, city and all orders of the last year',
      find_customers: 'Gets a customer with name, city and all the orders of last year',
      fetch_customer: 'Gets a customer: name, city, and all orders of the last year',
      revenue: 'Revenue of the shop by month',
    }),
  ).toEqual([
    ['shop__find_customers', 'shop__get_customer'],
    ['shop__fetch_customer', 'shop__get_customer'],
  ]);
});

test.each([
  [
    'what their names say',
    {
      start_server: 'A server of the shop, with all of its jobs and queues, is started',
      stop_server: 'A server of the shop, with all of its jobs and queues, is stopped',
    },
  ],
  [
    'the verb',
    {
      add_tracks: 'Adds tracks to a playlist of a user of the streaming site',
      playlist_edit: 'Removes tracks to a playlist of a user of the streaming site',
    },
  ],
  ['one word of few', { get_user: 'Gets a user by id', find_user: 'Gets a user by e-mail' }],
])('actions that differ in %s are different', (_what, texts) => {
  expect(colliding(texts)).toEqual([]);
});

test('those of other toolkits collide when name and description do', () => {
  const own = [
    action('list_users', { description: 'Lists the users' }),
    action('find_orders', { description: 'Finds orders of tea by date' }),
  ];
  const others = [
    { ...own[0], action: 'slack__list_users' },
    { ...own[1], action: 'archive__old_papers' },
  ].map((other) => ({ payloadSchema: {}, description: '', ...other }));
  const findings = lintToolkit({ id: 'shop', name: 'Shop', description: 'Tea', actions: own }, others);
  expect(findings.filter(({ rule }) => rule === 'colliding')).toEqual([
    expect.objectContaining({ action: 'shop__list_users', message: expect.stringContaining('"slack__list_users", of another toolkit') }),
  ]);
});

test('a thousand actions of one description are each reported', () => {
  const texts = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`find_orders_${i}`, 'Finds orders of a customer by date']));
  expect(colliding(texts)).toHaveLength(999);
});
