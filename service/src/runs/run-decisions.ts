/** Decides questions of a run for its app: those whose rule, or whose own rules of the caller, leave the decision to the app. */
import type { Actor } from '#sdk/protocol/admin';
import type { DecideRequest } from '#sdk/protocol/approvals';
import { SvcError } from '#sdk/protocol/errors';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallApprovalRecord, CallApprovalStore } from '../store/approval-store';
import type { RunMemory } from './run-memory';

export interface RunDecisions {
  approved: readonly string[];
  refused: readonly string[];
}

export interface RunDecisionsDeps {
  approvals: Pick<CallApprovalStore, 'find'>;
  /** Rejects with CONFLICT for a second decision. */
  decide(record: CallApprovalRecord, request: DecideRequest, actor: Actor): Promise<void>;
}

type Decision = DecideRequest['decision'];

/** Accepts a decision that was made already: the request may be a retry. */
export async function decideForApp(
  run: { id: string; memory: RunMemory },
  key: CallingKey,
  { approved, refused }: RunDecisions,
  deps: RunDecisionsDeps,
): Promise<void> {
  if (key.token) throw new SvcError('NOT_PERMITTED', 'A token cannot approve or refuse calls: send the request with the agent key');
  for (const id of approved) await decideOne(run, key, { id, decision: 'approve' }, deps);
  for (const id of refused) await decideOne(run, key, { id, decision: 'deny' }, deps);
}

async function decideOne(
  run: { id: string; memory: RunMemory },
  key: CallingKey,
  { id, decision }: { id: string; decision: Decision },
  { approvals, decide }: RunDecisionsDeps,
): Promise<void> {
  const record = await approvals.find(id);
  const isOwn = run.memory.waiting.some(({ ask }) => ask.approval?.id === id);
  if (!record || record.agentKeyId !== key.id || !(isOwn || madeBy(record) === run.id))
    throw new SvcError('INVALID_REQUEST', `"${id.slice(0, 100)}" is not a question of ${run.id}: send the ids of its "asks"`);
  if (record.decider !== 'app')
    throw new SvcError('NOT_PERMITTED', `A person decides about ${id}, and not the app: the run goes on with their decision`);
  if (isDecided(record, decision)) return;
  await decide(record, { decision }, { kind: 'key', id: key.id, name: key.name });
}

function isDecided({ status }: CallApprovalRecord, decision: Decision): boolean {
  return decision === 'approve' ? status === 'approved' || status === 'used' : status === 'denied';
}

function madeBy({ caller }: CallApprovalRecord): string | undefined {
  return (JSON.parse(caller) as { madeBy?: string }).madeBy;
}
