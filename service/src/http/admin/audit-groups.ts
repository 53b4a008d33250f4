/**
 * Groups of the audit log: entries of one actor and one kind in a row, such as the 2,000 keys that a script created.
 *
 * Method: reads the heads of the entries, which are short, until there are enough groups. A group also ends where one page stops to read, and the
 *         next page begins with the rest of it.
 */
import { toTime } from '../../lib/to-time';
import type { AuditHead, AuditQuery, AuditRecord, AuditStore } from '../../store/console-store';

/** Fewer entries in a row stay single. */
const LEAST = 4;
const HEADS_PER_QUERY = 1_000;
/** Entries that one page reads at most. */
const MOST_HEADS = 20_000;

interface AuditGroup {
  /** The newest entry. */
  entry: AuditRecord;
  group?: { count: number; since: string; from: string };
}

export async function groupedAudit(
  audit: Pick<AuditStore, 'list' | 'heads'>,
  { limit, ...query }: AuditQuery,
): Promise<{ groups: AuditGroup[]; next: string | undefined }> {
  const runs: AuditHead[][] = [];
  let { before } = query;
  let isWhole = false;
  for (let read = 0; read < MOST_HEADS && sizeOf(runs) <= limit; read += HEADS_PER_QUERY) {
    const heads = await audit.heads({ ...query, before, limit: HEADS_PER_QUERY });
    for (const head of heads) addTo(runs, head);
    before = heads.at(-1)?.id ?? before;
    isWhole = heads.length < HEADS_PER_QUERY;
    if (isWhole) break;
  }
  const listed = runs.flatMap((run) => (run.length < LEAST ? run.map((head) => [head]) : [run]));
  const shown = listed.slice(0, limit);
  const entries = await entriesOf(audit, shown);
  const oldest = shown.at(-1)?.at(-1)?.id;
  return {
    groups: shown.flatMap((run) => {
      const [first, last] = [run[0], run.at(-1)];
      const entry = first && entries.get(first.id);
      if (!entry || !last) return [];
      return [{ entry, ...(run.length > 1 && { group: { count: run.length, since: last.id, from: toTime(last.at) } }) }];
    }),
    next: listed.length > shown.length || !isWhole ? oldest : undefined,
  };
}

function addTo(runs: AuditHead[][], head: AuditHead): void {
  const run = runs.at(-1);
  if (run?.[0] && isAlike(run[0], head)) run.push(head);
  else runs.push([head]);
}

function isAlike(one: AuditHead, other: AuditHead): boolean {
  return (
    one.what === other.what && one.actor.kind === other.actor.kind && one.actor.id === other.actor.id && one.actor.name === other.actor.name
  );
}

/** Number of entries that the list would show. */
function sizeOf(runs: readonly AuditHead[][]): number {
  return runs.reduce((size, run) => size + (run.length < LEAST ? run.length : 1), 0);
}

/** The newest entry of each group. */
async function entriesOf(audit: Pick<AuditStore, 'list'>, shown: readonly AuditHead[][]): Promise<Map<string, AuditRecord>> {
  const ids = shown.flatMap(([first]) => first?.id ?? []);
  return new Map((await audit.list({ ids, limit: ids.length })).map((entry) => [entry.id, entry]));
}
