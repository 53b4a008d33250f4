/**
 * A small shop for tea and pottery, made up by a seeded generator: every process gets the same customers, products and orders of
 * 2024 and 2025, in a database in memory. All people in it are invented.
 *
 * Units:  money is in euro cents, dates are `YYYY-MM-DD`.
 */
import { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, city TEXT NOT NULL, country TEXT NOT NULL, joined_on TEXT NOT NULL) STRICT;
  CREATE TABLE products (product_id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, price_cents INTEGER NOT NULL, stock INTEGER NOT NULL) STRICT;
  CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, ordered_on TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('open', 'shipped', 'delivered', 'cancelled'))) STRICT;
  CREATE TABLE order_items (order_id INTEGER NOT NULL REFERENCES orders, product_id INTEGER NOT NULL REFERENCES products, quantity INTEGER NOT NULL, price_cents INTEGER NOT NULL, PRIMARY KEY (order_id, product_id)) STRICT;
  CREATE INDEX orders_by_customer ON orders (customer_id);
  CREATE VIEW order_totals AS
    SELECT order_id, customer_id, ordered_on, status, SUM(quantity * order_items.price_cents) AS total_cents
    FROM orders JOIN order_items USING (order_id) GROUP BY order_id;
`;

const FIRST_NAMES = [
  'Ada',
  'Bruno',
  'Carla',
  'Daan',
  'Elif',
  'Femke',
  'Goran',
  'Hanna',
  'Ivo',
  'Jana',
  'Kofi',
  'Lena',
  'Mira',
  'Nils',
  'Olga',
];
const LAST_NAMES = [
  'Alder',
  'Brook',
  'Castell',
  'Dahl',
  'Ekberg',
  'Fontana',
  'Grove',
  'Holm',
  'Iversen',
  'Jonker',
  'Keller',
  'Lund',
  'Moreau',
];
const CITIES = [
  'Lisbon, Portugal',
  'Ghent, Belgium',
  'Aarhus, Denmark',
  'Graz, Austria',
  'Bologna, Italy',
  'Utrecht, Netherlands',
  'Kassel, Germany',
];

/** Name, category, price in cents. */
const PRODUCTS: [string, string, number][] = [
  ['Harbour Breakfast, 100 g', 'black tea', 790],
  ['Smoked Pine, 100 g', 'black tea', 1_150],
  ['Autumn Ceylon, 250 g', 'black tea', 1_690],
  ['Morning Sencha, 100 g', 'green tea', 1_290],
  ['Roasted Rice, 100 g', 'green tea', 890],
  ['Stone Mill Matcha, 30 g', 'green tea', 2_450],
  ['Lemon Verbena, 50 g', 'herbal tea', 650],
  ['Orchard Fruit, 100 g', 'herbal tea', 720],
  ['Winter Spice, 100 g', 'herbal tea', 840],
  ['Moss teapot, 0.8 l', 'pottery', 6_400],
  ['Sand teapot, 1.2 l', 'pottery', 7_900],
  ['Moss cup', 'pottery', 1_800],
  ['Sand cup', 'pottery', 1_600],
  ['Whisking bowl', 'pottery', 3_600],
  ['Bamboo whisk', 'accessories', 1_950],
  ['Tea tin, small', 'accessories', 980],
  ['Tea tin, large', 'accessories', 1_480],
  ['Paper filters, 100 pieces', 'accessories', 450],
];

const CUSTOMERS = 60;
const ORDERS = 480;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAYS = 731;

export function createSampleDatabase(limits: { length?: number; sqlLength?: number } = {}): DatabaseSync {
  const database = new DatabaseSync(':memory:', { limits });
  database.exec(SCHEMA);
  const random = seededRandom(20_240_101);
  database.exec('BEGIN');
  addProducts(database, random);
  addCustomers(database, random);
  addOrders(database, random);
  database.exec('COMMIT');
  return database;
}

/** Whole numbers from 0 to below `end`. A linear congruential generator (Numerical Recipes' constants): the same numbers on every machine. */
type Random = (end: number) => number;

function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item;
}

function addProducts(database: DatabaseSync, random: Random): void {
  const insert = database.prepare('INSERT INTO products VALUES (?, ?, ?, ?, ?)');
  PRODUCTS.forEach(([name, category, priceCents], index) => {
    insert.run(index + 1, name, category, priceCents, random(120));
  });
}

function addCustomers(database: DatabaseSync, random: Random): void {
  const insert = database.prepare('INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?)');
  for (let id = 1; id <= CUSTOMERS; id += 1) {
    // 15 and 13 have no common factor, so that no two of the sixty share a name.
    const [first, last] = [FIRST_NAMES[id % 15] ?? '', LAST_NAMES[id % 13] ?? ''];
    const [city = '', country = ''] = pick(CITIES, random).split(', ');
    insert.run(id, `${first} ${last}`, `${first}.${last}@example.com`.toLowerCase(), city, country, day(-1 - random(DAYS)));
  }
}

function addOrders(database: DatabaseSync, random: Random): void {
  const insertOrder = database.prepare('INSERT INTO orders VALUES (?, ?, ?, ?)');
  const insertItem = database.prepare(
    'INSERT OR IGNORE INTO order_items SELECT ?, product_id, ?, price_cents FROM products WHERE product_id = ?',
  );
  for (let id = 1; id <= ORDERS; id += 1) {
    // The smaller of two numbers: a few customers order often, most seldom.
    const customer = 1 + Math.min(random(CUSTOMERS), random(CUSTOMERS));
    insertOrder.run(id, customer, day(Math.floor((id / ORDERS) * (DAYS - 1))), statusOf(id, random));
    for (let items = 1 + random(4); items > 0; items -= 1) insertItem.run(id, 1 + random(3), 1 + random(PRODUCTS.length));
  }
}

function statusOf(id: number, random: Random): string {
  if (random(16) === 0) return 'cancelled';
  if (id > ORDERS - 8) return 'open';
  return id > ORDERS - 20 ? 'shipped' : 'delivered';
}

function day(offset: number): string {
  return new Date(FIRST_DAY + offset * 86_400_000).toISOString().slice(0, 10);
}
