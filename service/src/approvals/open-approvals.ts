/** Creates the objects of this room. */

import type { KeptTexts } from '../lib/kept-texts';
import type { Store } from '../store/store';
import { ApprovalDecisions, type ApprovalDecisionsDeps } from './approval-decisions';
import { ApprovalJobs } from './approval-jobs';
import { Approvals, type ApprovalsDeps } from './approvals';
import { ApprovedCalls, type ApprovedCallsDeps } from './approved-calls';
import { PresentCalls, type PresentCallsDeps } from './present-call';

export interface OpenApprovalsDeps
  extends Omit<PresentCallsDeps, 'store' | 'texts'>,
    Omit<ApprovedCallsDeps, 'store' | 'present' | 'invocations'>,
    Omit<ApprovalsDeps, 'store' | 'texts' | 'calls'>,
    Omit<ApprovalDecisionsDeps, 'store' | 'present' | 'calls'> {
  store: Pick<Store, 'approvals' | 'connections' | 'invocations' | 'oauth'>;
  texts: KeptTexts;
}

export interface OpenedApprovals {
  approvals: Approvals;
  decisions: ApprovalDecisions;
  approvalJobs: ApprovalJobs;
}

export function openApprovals(deps: OpenApprovalsDeps): OpenedApprovals {
  const store = deps.store.approvals;
  const present = new PresentCalls(deps);
  const calls = new ApprovedCalls({ ...deps, store, invocations: deps.store.invocations, present });
  return {
    approvals: new Approvals({ ...deps, store, calls }),
    decisions: new ApprovalDecisions({ ...deps, store, present, calls }),
    approvalJobs: new ApprovalJobs({ ...deps, store, present, calls }),
  };
}
