/**
 * Checks the service's ledger against the runs of the handlers, the answers of the callers and the budgets of the keys. Amounts are millionths.
 *
 * A row may stay held only while no caller has received a result of its call.
 */
import { toMillionths } from '../../src/protocol/amount.ts';
import type { Finding } from './audit.ts';
import type { CallRecord, Outcome } from './call-record.ts';
import type { Run } from './ledger.ts';
import type { LedgerRow } from './service-ledger.ts';

export interface PaymentBooks {
  calls: readonly CallRecord[];
  /** Call number -> its runs. */
  runs: ReadonlyMap<number, Run[]>;
  rows: readonly LedgerRow[];
  /** Agent key id -> its budget of a day. */
  budgets: ReadonlyMap<string, bigint>;
}

export function auditPayments({ calls, runs, rows, budgets }: PaymentBooks): Finding[] {
  const runOf = new Map([...runs.values()].flat().map((run) => [run.invocation, run]));
  const rowOf = new Map(rows.map((row) => [row.invocation, row]));
  const paidCalls = calls.filter(({ action }) => action === 'buy');
  return [
    ...overspentKeys(rows, budgets),
    ...rows.flatMap((row) => wrongCharge(row, runOf.get(row.invocation))),
    ...paidCalls.flatMap((call) => [
      ...chargedTwice(call, runs.get(call.number) ?? [], rowOf),
      ...lostBooking(call, runs.get(call.number) ?? [], rowOf),
      ...wrongAnswers(call, runs.get(call.number) ?? []),
    ]),
  ];
}

function overspentKeys(rows: readonly LedgerRow[], budgets: ReadonlyMap<string, bigint>): Finding[] {
  const days = Map.groupBy(rows, ({ key, day }) => `${key} on day ${day}`);
  return [...days].flatMap(([name, ofDay]): Finding[] => {
    const spent = ofDay.reduce((sum, { authorised, charged }) => sum + (charged ?? authorised), 0n);
    const budget = budgets.get(ofDay[0]?.key ?? '') ?? 0n;
    return spent <= budget ? [] : [{ breach: 'overspent', call: 0, what: `${name} charged and held ${spent} of ${budget}` }];
  });
}

function wrongCharge({ invocation, charged }: LedgerRow, run: Run | undefined): Finding[] {
  if (charged === null || charged === 0n) return [];
  const said = chargeOf(run);
  if (said === charged) return [];
  return [
    { breach: 'doubleBooked', call: run?.call ?? 0, what: `${invocation} is charged ${charged}, its handler said ${said ?? 'nothing'}` },
  ];
}

function chargedTwice({ number }: CallRecord, runs: readonly Run[], rowOf: ReadonlyMap<string, LedgerRow>): Finding[] {
  const charged = runs.filter(({ invocation }) => (rowOf.get(invocation)?.charged ?? 0n) > 0n);
  return charged.length > 1 ? [{ breach: 'doubleBooked', call: number, what: `is charged ${charged.length} times` }] : [];
}

function lostBooking({ number, tries }: CallRecord, runs: readonly Run[], rowOf: ReadonlyMap<string, LedgerRow>): Finding[] {
  const tokens = new Set(tries.flatMap(({ outcome }) => (outcome.kind === 'result' ? [outcome.token] : [])));
  const known = runs.filter(({ end }) => end && tokens.has(end.token));
  return known.flatMap((run): Finding[] => {
    const row = rowOf.get(run.invocation);
    if (row && row.charged === chargeOf(run)) return [];
    const booked = row ? (row.charged ?? 'only held') : 'nowhere';
    return [{ breach: 'lostBookings', call: number, what: `${run.invocation} charged ${chargeOf(run)}, and is booked ${booked}` }];
  });
}

function wrongAnswers({ number, tries }: CallRecord, runs: readonly Run[]): Finding[] {
  const wrong = tries.map(({ outcome }) => outcome).find((outcome) => outcome.kind === 'result' && !saysCharge(outcome, runs));
  return wrong ? [{ breach: 'inconsistent', call: number, what: 'received an answer with another charge than its handler made' }] : [];
}

function saysCharge({ token, charged }: Extract<Outcome, { kind: 'result' }>, runs: readonly Run[]): boolean {
  const run = runs.find(({ end }) => end?.token === token);
  return run === undefined || toMillionths(charged) === chargeOf(run);
}

function chargeOf(run: Run | undefined): bigint | undefined {
  return toMillionths(run?.end?.charged);
}
