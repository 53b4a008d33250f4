import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';
import { type CallRecord, lastOutcome, outcomeName } from './call-record.ts';

/** One row per outcome: how many calls ended so, how many of them a handler had begun to run, and how long their last attempt took. */
export function formatOutcomes(calls: CallRecord[], runs: ReadonlyMap<number, number>): string {
  const names = new Set(calls.map((call) => outcomeName(lastOutcome(call))));
  const rows = [...names].toSorted().map((name) => {
    const ended = calls.filter((call) => outcomeName(lastOutcome(call)) === name);
    const elapsed = spreadOf(ended.map(({ attempts }) => attempts.at(-1)?.elapsedMs ?? Number.NaN));
    const retried = ended.filter(({ attempts }) => attempts.length > 1).length;
    const ran = ended.filter(({ number }) => runs.has(number)).length;
    return [name, ...[ended.length, retried, ran].map(String), elapsed.median.toFixed(0), elapsed.max.toFixed(0)];
  });
  return formatTable(['ended in', 'calls', 'after retries', 'ran', 'median ms', 'max ms'], rows);
}

/** Every call to which the service once said OUTCOME_UNKNOWN, and whether it had run. */
export function formatUnknown(calls: CallRecord[], runs: ReadonlyMap<number, number>): string {
  const unknown = calls.filter(({ attempts }) => attempts.some(({ outcome }) => outcomeName(outcome) === 'OUTCOME_UNKNOWN'));
  const list = (title: string, ran: boolean) => {
    const numbers = unknown.filter(({ number }) => runs.has(number) === ran).map(({ number }) => number);
    return `OUTCOME_UNKNOWN, ${title} (${numbers.length}): ${numbers.join(' ') || 'none'}`;
  };
  return `${list('had run', true)}\n${list('had not run', false)}`;
}
