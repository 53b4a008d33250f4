/**
 * `npm run bench:poisoning -- --actions FILE… --toolkits FILE… --queries FILE… [--json OUT]`: how often an
 * attacker with one toolkit and ten agent keys becomes first for 100 popular queries. bench/README.md explains the figures.
 */
import { writeFileSync } from 'node:fs';
import { benchCommand } from './common/command.ts';
import { formatTable } from './common/table.ts';
import { fakeUse, plainActions, stuffedActions } from './poisoning/attack.ts';
import { honestUse, popularWishes } from './poisoning/scene.ts';
import { buildBase, type Counting, runTrial } from './poisoning/trial.ts';
import { type Files, readFiles, withFiles } from './retrieval/files.ts';

const WISHES = 100;
const HONEST_KEYS = [0, 3, 10, 30];
const COUNTINGS: Counting[] = ['calls', 'keys', 'bounds'];

const options = withFiles(benchCommand('npm run bench:poisoning --'))
  .option('--json <file>', 'write everything as JSON')
  .parse()
  .opts<Files & { json?: string }>();

const { entries, lines } = readFiles(options);
const wishes = popularWishes(lines, entries, WISHES);
const withQueries = new Set(lines.map(({ src }) => src));
const base = buildBase(entries.filter(({ src }) => withQueries.has(src)).map(({ document }) => document));

const plain = plainActions(wishes);
const stuffed = stuffedActions(wishes, { named: false });
const named = stuffedActions(wishes, { named: true });
const attacks = [
  { name: 'no attack', attack: [], fake: [] },
  { name: 'descriptions', attack: stuffed, fake: [] },
  { name: 'descriptions and names', attack: named, fake: [] },
  { name: 'usage of 100 queries', attack: plain, fake: fakeUse(wishes, { wanted: 100, words: 0 }) },
  { name: 'usage of 20 queries', attack: plain, fake: fakeUse(wishes, { wanted: 20, words: 0 }) },
  { name: 'usage of 5 queries', attack: plain, fake: fakeUse(wishes, { wanted: 5, words: 0 }) },
  { name: 'both, 100 queries', attack: stuffed, fake: fakeUse(wishes, { wanted: 100, words: 0 }) },
  { name: 'both, 100 in 5 words each', attack: stuffed, fake: fakeUse(wishes, { wanted: 100, words: 4 }) },
  { name: 'both, 20 queries', attack: stuffed, fake: fakeUse(wishes, { wanted: 20, words: 0 }) },
  { name: 'both, 5 queries', attack: stuffed, fake: fakeUse(wishes, { wanted: 5, words: 0 }) },
  { name: 'both and names, 100 queries', attack: named, fake: fakeUse(wishes, { wanted: 100, words: 0, named: true }) },
];

const results = attacks.flatMap(({ name, attack, fake }) =>
  HONEST_KEYS.flatMap((keys) => {
    const honest = honestUse(wishes, keys);
    return COUNTINGS.map((counting) => ({ name, keys, counting, ...runTrial(base, { wishes, attack, honest, fake, counting }) }));
  }),
);

const percent = (share: number) => `${Math.round(share * 100)} %`;
console.log(`The attacker is first (the right action is first), of ${wishes.length} queries, by what counts as evidence:`);
const rows = attacks.flatMap(({ name }) =>
  HONEST_KEYS.map((keys) => {
    const of = results.filter((result) => result.name === name && result.keys === keys);
    return [name, String(keys), ...of.map(({ attackerFirst, rightFirst }) => `${percent(attackerFirst)} (${percent(rightFirst)})`)];
  }),
);
console.log(formatTable(['attack', 'honest keys', 'every call', 'every key', 'with bounds'], rows));
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
