/**
 * A sample database: two years of a made-up tea shop, in SQLite.
 *
 *   SVC_TOOLKIT_API_KEY=… node examples/toolkits/shop.ts
 */
import { Toolkit } from 'svc-sdk';
import { z } from 'zod';
import { answering } from './shared/answering.ts';
import { reportLoss, serve } from './shared/serve.ts';
import { TimeBox } from './shared/time-box.ts';
import {
  bestSellers,
  describeTable,
  findCustomers,
  findOrders,
  listTables,
  lowStock,
  revenueByMonth,
  topCustomers,
} from './shop/reports.ts';
import type { ShopTasks } from './shop/tasks.ts';

const READ_ONLY = { readOnly: true, idempotent: true };
/** Each of them may need a process of its own. */
const CONCURRENCY = 4;
const from = z.iso.date().exactOptional().describe('First day, such as 2025-01-01; leave out for no limit');
const to = z.iso.date().exactOptional().describe('Last day, such as 2025-12-31; leave out for no limit');
const limit = z.int().min(1).max(50).exactOptional().describe('How many at most, 1 to 50');

const months = z.array(z.object({ month: z.string().describe('2025-03'), orders: z.int(), revenue: z.number() }));
const products = z.array(z.object({ product: z.string(), category: z.string(), sold: z.int(), revenue: z.number() }));
const spender = { customer_id: z.int(), name: z.string(), city: z.string(), country: z.string(), orders: z.int(), spent: z.number() };
const inEuros = { currency: z.literal('EUR') };

const box = new TimeBox<ShopTasks>(new URL('./shop/tasks.ts', import.meta.url), { timeoutMs: 2_000, memoryMegabytes: 128 });
const toolkit = new Toolkit({ concurrency: CONCURRENCY, onStatus: reportLoss });

toolkit.action(
  {
    action: 'list_tables',
    actionDescription:
      'Lists the tables and views of the sample shop database with their number of rows: the first thing to ask before writing SQL.',
    annotations: READ_ONLY,
  },
  answering(listTables),
);

toolkit.action<{ table: string }>(
  {
    action: 'describe_table',
    actionDescription: 'Columns, references and three example rows of one table or view of the sample shop database.',
    payloadDescription: { table: { type: 'string', description: 'A name from list_tables', required: true, maxLength: 100 } },
    annotations: READ_ONLY,
  },
  answering(describeTable),
);

toolkit.action<{ sql: string; limit?: number }>(
  {
    action: 'query',
    actionDescription:
      'Runs one SQL SELECT (SQLite) on the sample shop database and gives columns and rows. Prices are in cents, dates are texts like 2025-03-10. ' +
      'Reads only. For revenue, best customers and orders there are ready actions that need no SQL.',
    payloadDescription: {
      type: 'object',
      properties: {
        sql: { type: 'string', description: 'One SELECT statement', maxLength: 10_000 },
        limit: { type: 'integer', description: 'Maximum of rows; default: 50', minimum: 1, maximum: 500 },
      },
      required: ['sql'],
    },
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('query', payload)),
);

toolkit.action(
  {
    action: 'revenue_by_month',
    actionDescription:
      'Revenue in euros and number of orders of the sample shop for every month of a period. Cancelled orders do not count.',
    payloadDescription: z.object({ from, to }),
    resultDescription: z.object({ ...inEuros, months }),
    annotations: READ_ONLY,
  },
  answering(revenueByMonth),
);

toolkit.action(
  {
    action: 'top_customers',
    actionDescription:
      'The customers of the sample shop who spent the most in a period: name, city, number of orders, euros spent. Best first.',
    payloadDescription: z.object({ from, to, limit }),
    resultDescription: z.object({ ...inEuros, customers: z.array(z.object(spender)) }),
    annotations: READ_ONLY,
  },
  answering(topCustomers),
);

toolkit.action(
  {
    action: 'best_sellers',
    actionDescription: 'The products of the sample shop that brought the most revenue in a period, with pieces sold. Best first.',
    payloadDescription: z.object({ from, to, limit }),
    resultDescription: z.object({ ...inEuros, products }),
    annotations: READ_ONLY,
  },
  answering(bestSellers),
);

toolkit.action(
  {
    action: 'find_customers',
    actionDescription:
      'Finds customers of the sample shop by a part of their name, e-mail address or city; gives the customer_id for find_orders.',
    payloadDescription: z.object({ text: z.string().min(2).max(100) }),
    annotations: READ_ONLY,
  },
  answering(findCustomers),
);

toolkit.action(
  {
    action: 'find_orders',
    actionDescription:
      'Orders of the sample shop with date, status, total in euros and items, newest first; of one customer, one status or a period.',
    payloadDescription: z.object({
      customer_id: z.int().exactOptional().describe('From find_customers or top_customers'),
      status: z.enum(['open', 'shipped', 'delivered', 'cancelled']).exactOptional(),
      from,
      to,
      limit,
    }),
    annotations: READ_ONLY,
  },
  answering(findOrders),
);

toolkit.action(
  {
    action: 'low_stock',
    actionDescription: 'Products of the sample shop of which fewer than a number of pieces are left: what to reorder.',
    payloadDescription: z.object({ below: z.int().min(1).max(1_000).default(15) }),
    annotations: READ_ONLY,
  },
  answering(lowStock),
);

await box.warmUp();
await serve(toolkit, {
  name: 'Sample shop',
  description: 'A sample SQL database: customers, products and orders of a made-up tea shop in 2024 and 2025.',
  onStop: () => box.close(),
});
