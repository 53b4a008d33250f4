/** Commits a group of writes in one transaction, and notifies each write of its result. */
import type { PoolClient } from 'pg';
import type { SvcError } from '#sdk/protocol/errors';
import type { CallWrite, EndWrite, StartWrite } from '../call-engine';
import type { InvocationOutcome, InvocationRecord } from '../store';
import { isConflict } from './errors';
import { groupStatement } from './group-statement';
import { isPaid, writePaid } from './hold-price';

const NO_REFUSALS: ReadonlyMap<string, SvcError> = new Map();

const ATTEMPTS = 3;

/** Recorded outcomes of the calls that the statement did not change. */
const STANDING = 'SELECT id, code, body, ended_at FROM invocations WHERE id = ANY ($1::text[])';

/** Commits the group, then calls `done` of each write. */
export async function writeGroup(client: PoolClient, node: string, group: readonly CallWrite[]): Promise<void> {
  const starts: StartWrite[] = [];
  const ends: EndWrite[] = [];
  const records: InvocationRecord[] = [];
  for (const write of group) {
    if (write.op === 'start') starts.push(write);
    else if (write.op === 'end') ends.push(write);
    else records.push(write.record);
  }
  const statement = groupStatement(node, { starts, ends, records });
  const write = async () => new Map((await client.query<[id: string, keyed: boolean]>(statement)).rows);
  const { written, refusals } = await withAttempts(async () =>
    isPaid(group) ? writePaid(client, group, write) : { written: await write(), refusals: NO_REFUSALS },
  );
  const replaced = ends.every(({ id }) => written.has(id));
  const standing = replaced ? new Map<string, InvocationOutcome>() : await standingOutcomes(client, ends);
  for (const write of group) {
    if (write.op === 'start') answerStart(write, written, refusals);
    else if (write.op === 'end') write.done(undefined, standsOf(write, written.get(write.id), standing));
    else write.done(undefined);
  }
}

function answerStart({ call, done }: StartWrite, written: ReadonlyMap<string, boolean>, refusals: ReadonlyMap<string, SvcError>): void {
  const refusal = refusals.get(call.id);
  if (refusal) done(refusal);
  else done(undefined, written.has(call.id));
}

function standsOf({ id, outcome }: EndWrite, keyed: boolean | undefined, standing: ReadonlyMap<string, InvocationOutcome>) {
  if (keyed === undefined) return standing.get(id);
  return keyed ? outcome : { ...outcome, body: null };
}

async function standingOutcomes(client: PoolClient, ends: readonly EndWrite[]): Promise<Map<string, InvocationOutcome>> {
  const values = [ends.map(({ id }) => id)];
  const { rows } = await client.query<{ id: string; code: string; body: string | null; ended_at: number }>({ text: STANDING, values });
  return new Map(rows.map(({ id, code, body, ended_at }) => [id, { code, body, endedAt: ended_at }]));
}

async function withAttempts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
