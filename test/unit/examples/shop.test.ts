/** The promises of examples/README.md: queries only read, and a long one is stopped. */
import { afterAll, expect, test } from 'vitest';
import { TimeBox } from '../../../examples/toolkits/shared/time-box.ts';
import { query } from '../../../examples/toolkits/shop/query.ts';
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

test('a query without end is stopped in the middle of SQLite, and the next one works', async () => {
  const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n';
  await expect(box.run('query', { sql: endless })).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
  expect(await box.run('query', { sql: 'SELECT COUNT(*) FROM customers' })).toMatchObject({ rows: [[60]] });
});
