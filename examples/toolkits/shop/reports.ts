/** The questions that are asked most, as ready queries. Cancelled orders count nowhere but in `findOrders`. Money comes out in euros. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Refusal } from '../shared/refusal.ts';
import { createSampleDatabase } from './sample-data.ts';

const database: DatabaseSync = createSampleDatabase();

type Row = Record<string, unknown>;

function all(sql: string, parameters: Record<string, SQLInputValue> = {}): Row[] {
  return database
    .prepare(sql)
    .all(parameters)
    .map((row) => ({ ...row }));
}

export function listTables() {
  const tables = all(`SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY type, name`);
  return { tables: tables.map(({ name, type }) => ({ name, type, rows: all(`SELECT COUNT(*) AS count FROM "${name}"`)[0]?.count })) };
}

export function describeTable({ table }: { table: string }) {
  const columns = all('SELECT name, type, pk > 0 AS primary_key FROM pragma_table_info(:table)', { table });
  const names = listTables().tables.map(({ name }) => name);
  if (columns.length === 0) throw new Refusal('UNKNOWN_TABLE', `There is no table "${table}"; there are ${names.join(', ')}`);
  const references = all('SELECT "from" AS column, "table" AS references_table FROM pragma_foreign_key_list(:table)', { table });
  // The name was found in the schema, so it may stand in the statement.
  return { columns, references, examples: all(`SELECT * FROM "${table}" LIMIT 3`) };
}

interface Period {
  /** First and last day, `YYYY-MM-DD`. */
  from?: string;
  to?: string;
}

/** Parameters for `ordered_on BETWEEN :from AND :to`; a missing end is open. */
function between({ from = '0000', to = '9999' }: Period): { from: string; to: string } {
  return { from, to };
}

export function revenueByMonth(period: Period) {
  return {
    currency: 'EUR',
    months: all(
      `SELECT substr(ordered_on, 1, 7) AS month, COUNT(*) AS orders, SUM(total_cents) / 100.0 AS revenue
       FROM order_totals WHERE status <> 'cancelled' AND ordered_on BETWEEN :from AND :to GROUP BY month ORDER BY month`,
      between(period),
    ),
  };
}

export function bestSellers({ limit = 5, ...period }: Period & { limit?: number }) {
  return {
    currency: 'EUR',
    products: all(
      `SELECT name AS product, category, SUM(quantity) AS sold, SUM(quantity * order_items.price_cents) / 100.0 AS revenue
       FROM order_items JOIN orders USING (order_id) JOIN products USING (product_id)
       WHERE status <> 'cancelled' AND ordered_on BETWEEN :from AND :to GROUP BY product_id ORDER BY revenue DESC, name LIMIT :limit`,
      { ...between(period), limit },
    ),
  };
}

export function topCustomers({ limit = 5, ...period }: Period & { limit?: number }) {
  return {
    currency: 'EUR',
    customers: all(
      `SELECT customer_id, name, city, country, COUNT(*) AS orders, SUM(total_cents) / 100.0 AS spent
       FROM order_totals JOIN customers USING (customer_id)
       WHERE status <> 'cancelled' AND ordered_on BETWEEN :from AND :to GROUP BY customer_id ORDER BY spent DESC, name LIMIT :limit`,
      { ...between(period), limit },
    ),
  };
}

export function findCustomers({ text }: { text: string }) {
  const customers = all(
    'SELECT * FROM customers WHERE instr(lower(name || char(10) || email || char(10) || city), lower(:text)) > 0 LIMIT 20',
    { text },
  );
  if (customers.length === 0)
    throw new Refusal('NOT_FOUND', `No customer's name, e-mail or city holds "${text}"; try a shorter part of it`);
  return { customers };
}

interface OrderFilter extends Period {
  customer_id?: number;
  status?: string;
  limit?: number;
}

export function findOrders({ customer_id, status, limit = 10, ...period }: OrderFilter) {
  return {
    currency: 'EUR',
    orders: all(
      `SELECT order_id, ordered_on, status, customers.name AS customer, total_cents / 100.0 AS total,
         (SELECT group_concat(quantity || ' × ' || products.name, '; ') FROM order_items JOIN products USING (product_id)
          WHERE order_items.order_id = order_totals.order_id) AS items
       FROM order_totals JOIN customers USING (customer_id)
       WHERE customer_id = coalesce(:customer_id, customer_id) AND status = coalesce(:status, status)
         AND ordered_on BETWEEN :from AND :to ORDER BY ordered_on DESC, order_id DESC LIMIT :limit`,
      { ...between(period), customer_id: customer_id ?? null, status: status ?? null, limit },
    ),
  };
}

export function lowStock({ below }: { below: number }) {
  return { products: all('SELECT name AS product, category, stock FROM products WHERE stock < :below ORDER BY stock, name', { below }) };
}
