/** The scripts of the scripted model. They contain no names of actions: the search returns those. */
import type { Conversation } from './conversation.ts';
import { answer, invoke, lastResult, runProgram, type Script, search } from './script.ts';

const RUN = /run of (?<distance>[\d.]+ \w+) .*at (?<speed>[\d.]+) km per hour/;
const CALL = /on (?<date>\d{4}-\d{2}-\d{2}) at (?<clock>\d{1,2}:\d{2}) in (?<from>[A-Z][\w ]+?)\. .*in (?<to>[A-Z][\w ]+)\?/;
const WEATHER = /weather in (?<city>[A-Z][\w ]+?)(?: today)?\?/;
const BEST_SELLERS = /best seller .*in each month of (?<year>\d{4})/;
const BEST_CUSTOMERS = /(?<count>\d+) customers .*spent the most in (?<year>\d{4}).*CSV/;

export const SCRIPTS: Script[] = [
  {
    about: WEATHER,
    steps: [
      search('weather in a city'),
      invoke(/weather|temperature/i, ({ question }) => [[/city|place/i, groups(WEATHER, question).city]]),
      answer((conversation) => {
        const { city, celsius, sky } = lastResult<{ city: string; celsius: number; sky: string }>(conversation);
        return `In ${city} it is ${celsius} °C, and the sky is ${sky}.`;
      }),
    ],
  },
  {
    about: RUN,
    steps: [
      search('evaluate a formula with units'),
      invoke(/formula|expression/i, ({ question }) => {
        const { distance, speed } = groups(RUN, question);
        return [[/formula|expression/i, `${distance} / (${speed} km/hour) to minutes`]];
      }),
      answer((conversation) => {
        const { value } = lastResult<{ value: number }>(conversation);
        return `The run takes ${Math.round(value)} minutes: ${Math.floor(value / 60)} hours and ${Math.round(value % 60)} minutes.`;
      }),
    ],
  },
  {
    about: CALL,
    steps: [
      search('convert a time between time zones'),
      invoke(/convert.*time zone|time zone.*convert/i, ({ question }) => {
        const { date, clock, from, to } = groups(CALL, question);
        return [
          [/^time|date/i, `${date}T${clock}`],
          [/^from|source/i, from],
          [/^to|target/i, to],
        ];
      }),
      answer((conversation) => {
        const { to } = lastResult<{ to: { time: string; weekday: string; zone: string } }>(conversation);
        return `It is then ${to.time.slice(11, 16)} on ${to.weekday}, ${to.time.slice(0, 10)} (${to.zone}).`;
      }),
    ],
  },
  {
    about: BEST_SELLERS,
    steps: [
      search('products of the shop that brought the most revenue in a period'),
      runProgram(/best.sellers/i, (action, { question }) => bestSellersProgram(action, String(groups(BEST_SELLERS, question).year))),
      answer((conversation) => lastResult<{ result: string[] }>(conversation).result.join('\n')),
    ],
  },
  {
    about: BEST_CUSTOMERS,
    steps: [
      search('customers of the shop who spent the most', 'turn a list of rows into CSV'),
      invoke(/customers.*spent|top.customers/i, ({ question }) => {
        const { count, year } = groups(BEST_CUSTOMERS, question);
        return [
          [/^limit|how many/i, Number(count)],
          [/^from|first day/i, `${year}-01-01`],
          [/^to$|last day/i, `${year}-12-31`],
        ];
      }),
      invoke(/to.csv/i, (conversation) => [[/rows|records/i, bestCustomers(conversation)]]),
      answer((conversation) => `Here they are:\n${lastResult<{ csv: string }>(conversation).csv}`),
    ],
  },
];

function bestSellersProgram(action: string, year: string): string {
  return `const months = Array.from({ length: 12 }, (_, index) => index + 1);
const best = await Promise.all(
  months.map((month) => {
    const days = new Date(Date.UTC(${year}, month, 0)).getUTCDate();
    const of = \`${year}-\${String(month).padStart(2, '0')}\`;
    return tools.${action}({ from: \`\${of}-01\`, to: \`\${of}-\${days}\`, limit: 1 });
  }),
);
return best.map(({ data }, index) => \`${year}-\${String(months[index]).padStart(2, '0')}: \${data.products[0].product}\`);`;
}

function bestCustomers(conversation: Conversation) {
  const { customers, currency } = lastResult<{ customers: { name: string; spent: number }[]; currency: string }>(conversation);
  return customers.map(({ name, spent }, index) => ({ place: index + 1, name, [`spent in ${currency}`]: spent }));
}

function groups(pattern: RegExp, text: string): Record<string, string> {
  return { ...pattern.exec(text)?.groups };
}
