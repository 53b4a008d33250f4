/** Creates the objects of this room. */

import { guardedFetch } from '../lib/guarded-fetch';
import type { KeptTexts } from '../lib/kept-texts';
import type { Store } from '../store/store';
import { ApprovalDecisions, type ApprovalDecisionsDeps } from './approval-decisions';
import { ApprovalJobs } from './approval-jobs';
import { ApprovalWebhook } from './approval-webhook';
import { Approvals, type ApprovalsDeps } from './approvals';
import { ApprovedCalls, type ApprovedCallsDeps } from './approved-calls';
import { PresentCalls, type PresentCallsDeps } from './present-call';
import { WebhookSetting } from './webhook-setting';

const WEBHOOK_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export interface OpenApprovalsDeps
  extends Omit<PresentCallsDeps, 'store' | 'texts'>,
    Omit<ApprovedCallsDeps, 'store' | 'present'>,
    Omit<ApprovalsDeps, 'store' | 'texts' | 'calls'>,
    Omit<ApprovalDecisionsDeps, 'store' | 'present' | 'calls'> {
  store: Pick<Store, 'approvals' | 'connections' | 'oauth' | 'settings'>;
  /** Hosts that the webhook may have although they are private. */
  privateHosts: readonly string[];
  texts: KeptTexts;
}

export interface OpenedApprovals {
  approvals: Approvals;
  decisions: ApprovalDecisions;
  approvalJobs: ApprovalJobs;
  approvalWebhook: WebhookSetting;
}

export function openApprovals(deps: OpenApprovalsDeps): OpenedApprovals {
  const store = deps.store.approvals;
  const present = new PresentCalls(deps);
  const calls = new ApprovedCalls({ ...deps, store, present });
  const approvals = new Approvals({ ...deps, store, calls });
  const decisions = new ApprovalDecisions({ ...deps, store, present, calls });
  const approvalWebhook = new WebhookSetting({ ...deps, settings: deps.store.settings });
  const fetch = guardedFetch({ privateHosts: deps.privateHosts, deadlineMs: WEBHOOK_MS, maxBytes: MAX_ANSWER_BYTES });
  const payloadOf = approvals.payloadOf.bind(approvals);
  const webhook = new ApprovalWebhook({ ...deps, store, setting: approvalWebhook, decisions, payloadOf, fetch });
  return { approvals, decisions, approvalJobs: new ApprovalJobs({ ...deps, approvals, store, present, calls, webhook }), approvalWebhook };
}
