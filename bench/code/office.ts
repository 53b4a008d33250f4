/** A toolkit whose actions ten tasks need, with results as long as those of real APIs. All data follows from its arguments. */
import type { Toolkit } from 'svc-sdk';

const READ = { readOnly: true };
const FOLDERS = 40;

export function addOffice(toolkit: Toolkit): void {
  const add = (
    action: string,
    actionDescription: string,
    payloadDescription: object,
    handler: (payload: never) => unknown,
    annotations = READ,
  ) =>
    toolkit.action(
      { action, actionDescription, payloadDescription, annotations } as never,
      (_ctx, payload) => handler(payload as never) as never,
    );
  const id = { id: { type: 'integer', required: true } };

  add('get_weather', 'Returns the weather of a city now', { city: { type: 'string', required: true } }, ({ city }: { city: string }) => ({
    city,
    ...{ temperature: 10 + (city.length % 9), wind: { speed: 12, gusts: 31, direction: 'NW' }, humidity: 61, pressure: 1013, clouds: 40 },
    ...{ sunrise: '06:41', sunset: '18:02', summary: 'Cloudy with some sun in the afternoon' },
  }));
  add('list_positions', 'Lists the positions of a depot', {}, () => ({
    positions: count(7).map((n) => ({ symbol: `SYM${n}`, shares: n * 10, boughtAt: 90 + n, boughtOn: '2025-03-04' })),
  }));
  add('get_quote', 'Returns the quote of a share', { symbol: { type: 'string', required: true } }, ({ symbol }: { symbol: string }) => ({
    symbol,
    ...{ price: 100 + Number(symbol.slice(3)), open: 99.1, high: 104.2, low: 98.7, volume: 1_204_112, currency: 'EUR', exchange: 'XETR' },
    ...{ time: '2026-11-20T16:35:00Z', week52: { low: 71.2, high: 131.9 } },
  }));
  add('read_log', 'Returns one page of a log', { cursor: { type: 'integer' } }, ({ cursor = 0 }: { cursor?: number }) => ({
    lines: count(12).map((n) => ({
      ...{ at: `2026-11-20T10:${10 + cursor}:${10 + n}Z`, level: n % 5 === 0 ? 'error' : 'info', service: 'checkout' },
      message: `Request ${cursor * 12 + n} took ${n * 7} ms`,
    })),
    next: cursor < 9 ? cursor + 1 : null,
  }));
  add('list_tickets', 'Lists the ids of the open tickets', {}, () => ({ ids: count(11) }));
  add('get_ticket', 'Returns a ticket', id, ({ id: ticket }: { id: number }) => ({
    ...{
      id: ticket,
      title: `Printer ${ticket} does not print`,
      owner: ['ada', 'grace', 'alan'][ticket % 3],
      priority: 'high',
      state: 'open',
    },
    ...{
      body: 'It worked on Monday. Since the update it shows a paper jam that is not there, on every tray.',
      labels: ['hardware', 'office'],
    },
    comments: count(3).map((n) => ({ by: 'linus', at: `2026-11-1${n}T09:00:00Z`, text: 'The same here on the second floor.' })),
  }));
  add('list_files', 'Lists the paths of all files', {}, () => ({ paths: count(14).map((n) => `/scans/2026/page-${n}.tif`) }));
  add('get_file', 'Returns size and checksum of a file', { path: { type: 'string', required: true } }, ({ path }: { path: string }) => ({
    ...{ path, bytes: 20_480, type: 'image/tiff', created: '2026-11-20T10:00:00Z', modified: '2026-11-20T10:00:00Z', owner: 'scanner' },
    sha256: `${'3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca4959'.repeat(1)}${(path.length * 7 + path.charCodeAt(17)) % 6}`,
  }));
  add('list_orders', 'Lists the ids of the orders of a month', {}, () => ({ ids: count(19) }));
  add('get_order', 'Returns an order with its lines', id, ({ id: order }: { id: number }) => ({
    ...{ id: order, status: order % 3 ? 'paid' : 'unpaid', cents: 10_000 + order, created: '2026-11-20T10:00:00Z' },
    customer: { name: `Customer ${order}`, email: `c${order}@example.com`, city: 'Rome', country: 'IT' },
    lines: count(4).map((n) => ({ sku: `SKU-${order}-${n}`, title: 'A product with a name', quantity: n, cents: 1_999 + n * 100 })),
  }));
  add('list_customers', 'Lists the ids of the customers', {}, () => ({ ids: count(24) }));
  add('get_revenue', 'Returns the revenue of a customer by month', id, ({ id: customer }: { id: number }) => ({
    ...{ customer, name: `Customer ${customer}`, currency: 'EUR' },
    months: count(12).map((month) => ({ month: `2025-${String(month).padStart(2, '0')}`, cents: customer * 1_000 + month, orders: month })),
  }));
  add('get_calendar', 'Returns the meetings of a person on a day', id, ({ id: person }: { id: number }) => ({
    person,
    meetings: count(5).map((n) => ({ from: 8 + ((n * person) % 9), to: 9 + ((n * person) % 9), title: 'Weekly', room: `R${n}` })),
  }));
  add('get_person', 'Returns a person', id, ({ id: person }: { id: number }) => ({
    ...{ id: person, name: `Person ${person}`, email: `p${person}@example.com`, hoursFromUtc: person % 3, team: 'Sales', floor: 2 },
  }));
  add('list_folder', 'Lists the folders and files in a folder', id, ({ id: folder }: { id: number }) => ({
    id: folder,
    folders: [folder * 3 + 1, folder * 3 + 2, folder * 3 + 3].filter((child) => child < FOLDERS),
    files: count(4).map((n) => ({
      name: `file-${folder}-${n}.pdf`,
      bytes: ((folder * 37 + n * 11) % 101) * 1_000,
      owner: 'ada',
      shared: false,
    })),
  }));
  add('get_price', 'Returns the price of a product', id, ({ id: product }: { id: number }) => ({
    ...{ id: product, sku: `SKU-${product}`, title: 'A product with a name', cents: 1_000 + product, currency: 'EUR', taxRate: 0.22 },
    supplier: { name: 'Parts and more', city: 'Turin', country: 'IT' },
  }));
  add(
    'set_price',
    'Sets the price of a product',
    { ...id, cents: { type: 'integer', required: true } },
    ({ id: product, cents }: { id: number; cents: number }) => ({ id: product, cents, changed: '2026-11-20T10:00:00Z' }),
    { idempotent: true } as never,
  );
}

function count(to: number): number[] {
  return Array.from({ length: to }, (_, index) => index + 1);
}
