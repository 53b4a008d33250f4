/**
 * `npm run bench:rules [-- --rounds 5 --calls 400]`: a keyed call with an agent key that has 0, 20 and 50 rules, and the matching alone. The keys take
 * turns, so that what the machine does meanwhile hits all. No rule matches, so each of them is tested.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Toolkit } from 'svc-sdk';
import { Pool } from 'undici';
import { NO_DEFAULTS } from '../service/src/rules/rule-defaults.ts';
import { Rules } from '../service/src/rules/rules.ts';
import type { ActionRecord, KeyRecord } from '../service/src/store/store.ts';
import { HEADERS, PATHS } from '../src/protocol/http.ts';
import type { Rule } from '../src/protocol/rules.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { removeFolder, temporaryFolder } from './common/processes.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { createKey, onDisk, startService, waitForAction } from './svc/service.ts';

const COUNTS = [0, 20, 50];
/** Verdicts between two readings of the clock. */
const VERDICTS = 100;

const { rounds, calls } = benchCommand('npm run bench:rules --')
  .option('--rounds <count>', 'rounds of each', wholeNumber, 5)
  .option('--calls <count>', 'calls of a round', wholeNumber, 400)
  .parse()
  .opts<{ rounds: number; calls: number }>();

const payload = { order: 17, amount: 50, to: 'ada@example.com', items: [{ sku: 'a', price: 5 }] };
console.log(describeMachine(machineFacts()));
const matching = await medians(COUNTS.map((count) => verdictsOf(count)));

const folder = temporaryFolder();
const service = startService(onDisk(folder));
const [origin = ''] = await service.ready;
const toolkit = new Toolkit({ apiKey: await createKey('toolkit', onDisk(folder)), baseUrl: origin });
toolkit.action({ action: 'refund', actionDescription: 'Refunds' }, () => 'done');
const serving = toolkit.run();
const pool = new Pool(origin);
const called = await medians(await Promise.all(COUNTS.map((count) => callsOf(count))));
await pool.close();
await toolkit.stop();
await serving;
await service.stop();
removeFolder(folder);

const rows = COUNTS.map((count, index) => [
  String(count),
  ...[matching[index] ?? 0, called[index] ?? 0, (called[index] ?? 0) / (called[0] ?? 1)].map((value) => value.toFixed(2)),
]);
console.log(formatTable(['rules', 'matching µs', 'call µs', 'ratio'], rows));

/** Every kind of match, of which none is for the call. */
function ruleAt(index: number): Rule {
  const kinds: Rule[] = [
    { match: { action: `shop-${index}__delete_*` }, do: 'deny' },
    { match: { toolkit: `billing-${index}` }, do: 'ask' },
    { match: { hint: 'destructive', user: 'guest-*' }, do: 'ask' },
    { match: { payload: [{ path: '/amount', above: 100 + index }] }, do: 'ask' },
    { match: { payload: [{ path: '/items/*/price', above: 100 + index }] }, do: 'deny' },
    { match: { payload: [{ path: '/to', matches: `@evil${index}\\.example$` }] }, do: 'deny' },
    { match: { payload: [{ path: '/to', in: [`eve${index}@example.com`, `mallory${index}@example.com`] }] }, do: 'deny' },
    { match: { priceAbove: '0.50' }, do: 'ask' },
  ];
  return kinds[index % kinds.length] as Rule;
}

function rulesOf(count: number): Rule[] {
  return Array.from({ length: count }, (_, index) => ruleAt(index));
}

function verdictsOf(count: number): () => Promise<number> {
  const rules = new Rules({ currency: 'USD', defaults: () => NO_DEFAULTS });
  const key = { kind: 'agent', rules: count === 0 ? null : rulesOf(count) } as KeyRecord;
  const action: ActionRecord = { toolkitId: 'shop', name: 'refund', description: '', payloadSchema: {}, annotations: {} };
  const call = { key, actionId: 'shop__refund', action, payload, userId: 'u_7' };
  return async () => {
    const startedAt = performance.now();
    for (let number = 0; number < VERDICTS; number++) if (rules.verdict(call).do !== 'allow') throw new Error('A rule matched');
    return (performance.now() - startedAt) / VERDICTS;
  };
}

/** Keyed calls, one at a time, as `Tools` sends them. */
async function callsOf(count: number): Promise<() => Promise<number>> {
  const file = join(folder, `rules-${count}.json`);
  writeFileSync(file, JSON.stringify(rulesOf(count)));
  const key = await createKey('agent', onDisk(folder), ['--rules', file]);
  const body = JSON.stringify({ action: await waitForAction(origin, key, 'refund'), payload });
  return async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      [HEADERS.idempotencyKey]: randomUUID(),
      [HEADERS.userId]: 'u_7',
    };
    const startedAt = performance.now();
    const answer = await pool.request({ method: 'POST', path: PATHS.invoke, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
    return performance.now() - startedAt;
  };
}

/** Medians in microseconds of what each measures in milliseconds. */
async function medians(measures: (() => Promise<number>)[]): Promise<number[]> {
  const times = measures.map((): number[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [index, measure] of measures.entries())
      for (let number = 0; number < calls; number++) {
        const ms = await measure();
        // The first round warms up.
        if (round > 0) times[index]?.push(ms * 1_000);
      }
  return times.map((all) => spreadOf(all).median);
}
