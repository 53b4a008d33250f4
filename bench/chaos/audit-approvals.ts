/** Checks the runs and answers of calls that a rule asks about against the book of the approver. The key of an approved run names its approval. */
import type { Decision } from './approver.ts';
import type { Finding } from './audit.ts';
import { type CallRecord, isWithdrawn } from './call-record.ts';
import type { Run } from './ledger.ts';

export interface ApprovalBooks {
  calls: readonly CallRecord[];
  /** Call number -> its runs. */
  runs: ReadonlyMap<number, Run[]>;
  /** Id of an approval -> its decision. */
  decisions: ReadonlyMap<string, Decision>;
}

const RUN_KEY = 'approval/';

export function auditApprovals({ calls, runs, decisions }: ApprovalBooks): Finding[] {
  const askedCalls = calls.filter(({ isAsked }) => isAsked);
  return askedCalls.flatMap((call) => [
    ...(runs.get(call.number) ?? []).flatMap((run) => wrongRun(run, decisions)),
    ...wrongRefusal(call, decisions),
  ]);
}

function wrongRun({ call, key, beganAt, invocation }: Run, decisions: ReadonlyMap<string, Decision>): Finding[] {
  const made = key.startsWith(RUN_KEY) ? decisions.get(key.slice(RUN_KEY.length)) : undefined;
  if (made?.decision === 'deny') return [{ breach: 'denied', call, what: `ran as ${invocation} under ${key}, which was denied` }];
  if (made && made.sentAt <= beganAt) return [];
  return [{ breach: 'unapproved', call, what: `ran as ${invocation} under ${key}, which was not approved` }];
}

function wrongRefusal({ number, tries }: CallRecord, decisions: ReadonlyMap<string, Decision>): Finding[] {
  const refusals = tries.flatMap(({ outcome }) =>
    outcome.kind === 'error' && outcome.code === 'APPROVAL_DENIED' && !isWithdrawn(outcome) ? outcome : [],
  );
  const wrong = refusals.find(({ approval = '' }) => decisions.get(approval)?.decision !== 'deny');
  return wrong ? [{ breach: 'lost', call: number, what: `was refused by ${wrong.approval}, which was not denied` }] : [];
}
