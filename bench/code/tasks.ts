/** Ten tasks with 5 to 50 calls. Each is a program as a model writes it for `run_code`; a model that calls one action after the other makes the same calls. */

export interface Task {
  name: string;
  /** Number of calls of actions. */
  calls: number;
  question: string;
  /** The model's search. */
  query: string;
  program: string;
}

export const TASKS: readonly Task[] = [
  {
    ...{ name: 'warmest of five cities', calls: 5, question: 'Which of Rome, Oslo, Lisbon, Berlin and Copenhagen is the warmest now?' },
    query: 'weather of a city',
    program: `const cities = ['Rome', 'Oslo', 'Lisbon', 'Berlin', 'Copenhagen'];
const answers = await Promise.all(cities.map((city) => tools.office.get_weather({ city })));
return answers.map(({ data }) => [data.temperature, data.city]).sort((a, b) => b[0] - a[0])[0];`,
  },
  {
    ...{ name: 'value of a depot', calls: 8, question: 'How much is my depot worth?', query: 'positions of my depot, quotes of shares' },
    program: `const { data: { positions } } = await tools.office.list_positions({});
const quotes = await Promise.all(positions.map(({ symbol }) => tools.office.get_quote({ symbol })));
return quotes.reduce((sum, { data }, n) => sum + data.price * positions[n].shares, 0);`,
  },
  {
    ...{ name: 'errors in ten pages of a log', calls: 10, question: 'How many errors are in the log of checkout?', query: 'read a log' },
    program: `let errors = 0;
for (let cursor = 0; cursor !== null; ) {
  const { data } = await tools.office.read_log({ cursor });
  errors += data.lines.filter(({ level }) => level === 'error').length;
  cursor = data.next;
}
return errors;`,
  },
  {
    ...{
      name: 'tickets of each owner',
      calls: 12,
      question: 'How many open tickets has each of us?',
      query: 'open tickets and their owners',
    },
    program: `const { data: { ids } } = await tools.office.list_tickets({});
const tickets = await Promise.all(ids.map((id) => tools.office.get_ticket({ id })));
const count = {};
for (const { data } of tickets) count[data.owner] = (count[data.owner] ?? 0) + 1;
return count;`,
  },
  {
    ...{ name: 'equal files', calls: 15, question: 'Which scans are there twice?', query: 'files and their checksums' },
    program: `const { data: { paths } } = await tools.office.list_files({});
const files = await Promise.all(paths.map((path) => tools.office.get_file({ path })));
const bySum = Map.groupBy(files.map(({ data }) => data), ({ sha256 }) => sha256);
return [...bySum.values()].filter((same) => same.length > 1).map((same) => same.map(({ path }) => path));`,
  },
  {
    ...{ name: 'unpaid orders', calls: 20, question: 'How many orders are unpaid, and how much is that?', query: 'orders of this month' },
    program: `const { data: { ids } } = await tools.office.list_orders({});
const orders = await Promise.all(ids.map((id) => tools.office.get_order({ id })));
const unpaid = orders.map(({ data }) => data).filter(({ status }) => status === 'unpaid');
return { orders: unpaid.length, cents: unpaid.reduce((sum, { cents }) => sum + cents, 0) };`,
  },
  {
    ...{ name: 'the best customer', calls: 25, question: 'Which customer bought most last year?', query: 'customers and their revenue' },
    program: `const { data: { ids } } = await tools.office.list_customers({});
const all = await Promise.all(ids.map((id) => tools.office.get_revenue({ id })));
const sums = all.map(({ data }) => ({ name: data.name, cents: data.months.reduce((sum, { cents }) => sum + cents, 0) }));
return sums.sort((a, b) => b.cents - a.cents)[0];`,
  },
  {
    ...{ name: 'an hour for fifteen people', calls: 30, question: 'When have all fifteen of us an hour on Monday, in UTC?' },
    query: 'calendar and time zone of a person',
    program: `const ids = Array.from({ length: 15 }, (_, n) => n + 1);
const [people, calendars] = await Promise.all([
  Promise.all(ids.map((id) => tools.office.get_person({ id }))),
  Promise.all(ids.map((id) => tools.office.get_calendar({ id }))),
]);
const isFree = (hour) => calendars.every(({ data }, n) => data.meetings.every(({ from }) => from - people[n].data.hoursFromUtc !== hour));
return Array.from({ length: 24 }, (_, hour) => hour).filter(isFree);`,
  },
  {
    ...{
      name: 'the largest file of forty folders',
      calls: 40,
      question: 'Which is the largest file in all folders?',
      query: 'files in a folder',
    },
    program: `let largest = { bytes: -1 };
for (let level = [0]; level.length > 0; ) {
  const folders = await Promise.all(level.map((id) => tools.office.list_folder({ id })));
  for (const { data } of folders) for (const file of data.files) if (file.bytes > largest.bytes) largest = file;
  level = folders.flatMap(({ data }) => data.folders);
}
return largest;`,
  },
  {
    ...{ name: 'prices of 25 products, up 3 %', calls: 50, question: 'Raise the prices of the products 1 to 25 by three per cent.' },
    query: 'price of a product, get and set',
    program: `const ids = Array.from({ length: 25 }, (_, n) => n + 1);
const prices = await Promise.all(ids.map((id) => tools.office.get_price({ id })));
const changed = await Promise.all(
  prices.map(({ data }) => tools.office.set_price({ id: data.id, cents: Math.round(data.cents * 1.03) })),
);
return changed.filter(({ ok }) => ok).length;`,
  },
];
