import { afterAll, expect, test } from 'vitest';
import { TimeBox } from '../../../examples/toolkits/shared/time-box.ts';
import { query } from '../../../examples/toolkits/shop/query.ts';
import {
  bestSellers,
  describeTable,
  findCustomers,
  findOrders,
  listTables,
  revenueByMonth,
  topCustomers,
} from '../../../examples/toolkits/shop/reports.ts';
import type { ShopTasks } from '../../../examples/toolkits/shop/tasks.ts';

const box = new TimeBox<ShopTasks>(new URL('../../../examples/toolkits/shop/tasks.ts', import.meta.url), {
  timeoutMs: 500,
  memoryMegabytes: 64,
});
afterAll(() => box.close());

test.each([
  'DELETE FROM orders',
  'UPDATE orders SET status = NULL RETURNING *',
  'INSERT INTO orders VALUES (1, 1, 1, 1)',
  'DROP TABLE orders',
  'PRAGMA query_only = 0',
  "ATTACH '/tmp/elsewhere.db' AS elsewhere",
  'BEGIN',
  'VACUUM',
])('%s is refused', (sql) => {
  expect(() => query({ sql })).toThrow(expect.objectContaining({ code: 'NOT_READ_ONLY' }));
});

test('a second statement is refused, a comment after the first is not', () => {
  expect(() => query({ sql: 'SELECT 1; DROP TABLE orders' })).toThrow(expect.objectContaining({ code: 'ONE_STATEMENT' }));
  expect(query({ sql: 'SELECT 1; -- that is all' })).toEqual({ columns: ['1'], rows: [[1]] });
});

test('a mistake is an error in the words of SQLite, with advice', () => {
  expect(() => query({ sql: 'SELECT * FROM invoices' })).toThrow(/no such table: invoices. list_tables/);
});

test('rows are limited, and the answer says that there are more', () => {
  const { rows, more } = query({ sql: 'SELECT * FROM orders', limit: 3 });
  expect(rows).toHaveLength(3);
  expect(more).toContain('first 3 rows');
});

test('every kind of value becomes JSON', () => {
  const { rows } = query({ sql: "SELECT 9223372036854775807, x'00ff', 1.5, NULL, printf('%.*c', 3000, 'x')" });
  expect(rows[0]?.slice(0, 4)).toEqual(['9223372036854775807', '2 bytes', 1.5, null]);
  expect(rows[0]?.[4]).toHaveLength(2_001);
});

test('a query without end is stopped in the middle of SQLite, and the next one works', async () => {
  const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n';
  await expect(box.run('query', { sql: endless })).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
  expect(await box.run('query', { sql: 'SELECT COUNT(*) FROM customers' })).toMatchObject({ rows: [[60]] });
});

test('the reports agree with each other', () => {
  const year = { from: '2025-01-01', to: '2025-12-31' };
  const revenue = revenueByMonth(year).months.reduce((sum, month) => sum + Number(month.revenue), 0);
  const spent = topCustomers({ ...year, limit: 50 }).customers.reduce((sum, customer) => sum + Number(customer.spent), 0);
  const sold = bestSellers({ ...year, limit: 50 }).products.reduce((sum, product) => sum + Number(product.revenue), 0);
  expect(revenue).toBeGreaterThan(1_000);
  expect(sold).toBeCloseTo(revenue);
  expect(spent).toBeLessThanOrEqual(revenue + 0.001);
});

test('orders are found by customer and status, newest first', () => {
  const [best] = topCustomers({ limit: 1 }).customers;
  const { orders } = findOrders({ customer_id: Number(best?.customer_id), status: 'delivered', limit: 3 });
  expect(orders.map(({ customer }) => customer)).toEqual([best?.name, best?.name, best?.name]);
  expect(orders.map(({ ordered_on }) => ordered_on)).toEqual(
    orders
      .map(({ ordered_on }) => ordered_on)
      .sort()
      .reverse(),
  );
});

test('a name that does not exist is answered with those that do', () => {
  expect(listTables().tables.map(({ name }) => name)).toContain('order_totals');
  expect(describeTable({ table: 'orders' }).references).toEqual([{ column: 'customer_id', references_table: 'customers' }]);
  expect(() => describeTable({ table: 'x"; DROP TABLE orders' })).toThrow(/there are customers, order_items/);
  expect(() => findCustomers({ text: 'nobody at all' })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});
