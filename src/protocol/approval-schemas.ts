/** zod schemas of approvals, for people, admin keys, and apps that ask their own user. docs/protocol.md, section 12. */
import * as z from 'zod';
import { APPROVAL_STATUSES, type ApprovalInfo, type DecideRequest } from './approvals';
import { rule } from './rule-schemas';
import { approvalDecider, components, payment, resolveResponse } from './schemas';

const MAX_REASON_CHARS = 1_000;
const MAX_SESSION_SECONDS = 86_400;

const time = z.string().describe('RFC 3339');
const named = z.object({ id: z.string(), name: z.string() });
const wholeNumber = 'must be a whole number';

const approvalInfo = z.object({
  id: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  decidedBy: approvalDecider.describe('`app`: the app that calls decides for its user, too'),
  action: z.string().describe('Action id'),
  payload: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('The whole payload that would run; absent in lists, and after the call ran'),
  key: named,
  user: z.string().exactOptional().describe('The user of the call, as its caller names them'),
  session: z.string().exactOptional().describe('The conversation of the call, as its caller names it'),
  payment: payment.exactOptional().describe('The most that the call costs'),
  account: z.string().exactOptional().describe('The account with which the call would act, as its provider names it'),
  rule: rule.exactOptional().describe('The rule that asks; absent: a default by hint, or the app'),
  createdAt: time,
  expiresAt: time,
  decidedAt: time.exactOptional(),
  decidedByName: z.string().exactOptional().describe('Name of the person or key'),
  reason: z.string().exactOptional(),
  invocationId: z.string().exactOptional().describe('The handle of the call that ran'),
  sessionUntil: time.exactOptional().describe('Later calls of the session need no approval until then'),
}) satisfies z.ZodType<ApprovalInfo>;

export const decidedApproval = approvalInfo.register(components, { id: 'Approval' });

export const approvalsPage = z
  .object({ approvals: z.array(decidedApproval), nextCursor: z.string().exactOptional() })
  .register(components, { id: 'ApprovalsPage' });
export type ApprovalsPage = z.output<typeof approvalsPage>;

export const approvalDetails = approvalInfo
  .extend({
    ask: z
      .object({ app: z.string().exactOptional().describe('The connected app whose key it is'), owner: named.exactOptional() })
      .describe('The asker, beside key, user and session'),
    offered: resolveResponse.shape.action.exactOptional().describe('The action as it is offered now'),
    history: z
      .object({ calls: z.int(), ok: z.int(), failed: z.int(), lastAt: time.exactOptional() })
      .describe('The last 1,000 calls of the action with this key in 30 days'),
  })
  .register(components, { id: 'ApprovalDetails' });
export type ApprovalDetails = z.output<typeof approvalDetails>;

export const approvalWebhook = z
  .object({ url: z.string().exactOptional().describe('Absent: none is set') })
  .register(components, { id: 'ApprovalWebhook' });

export const changeApprovalWebhook = z
  .strictObject({ url: z.string('must be an address, or null').nullable().describe('null removes the webhook') })
  .register(components, { id: 'ChangeApprovalWebhookRequest' });

export const changedApprovalWebhook = approvalWebhook
  .extend({ secret: z.string().exactOptional().describe('Signs the messages and the answers; it is not shown again') })
  .register(components, { id: 'ChangedApprovalWebhook' });

export const listApprovalsQuery = z.strictObject({
  status: z.enum(APPROVAL_STATUSES, `must be one of ${APPROVAL_STATUSES.join(', ')}`).exactOptional(),
  key: z.string().max(100, 'may have at most 100 characters').exactOptional().describe('Id of an agent key'),
  standing: z.literal('true', 'must be true').exactOptional().describe('Only approvals that hold for later calls of a session'),
  limit: z.coerce
    .number<string | number>(wholeNumber)
    .int(wholeNumber)
    .min(1, 'must be at least 1')
    .max(200, 'may be at most 200')
    .default(50),
  cursor: z.string().max(100, 'may have at most 100 characters').exactOptional().describe('`nextCursor` of the page before'),
});

export const decideRequest = z
  .strictObject({
    decision: z.enum(['approve', 'deny'], 'must be "approve" or "deny"'),
    reason: z
      .string('must be a text')
      .max(MAX_REASON_CHARS, `may have at most ${MAX_REASON_CHARS} characters`)
      .exactOptional()
      .describe('The agent reads it'),
    sessionSeconds: z
      .number('must be a number')
      .int(wholeNumber)
      .min(1, 'must be at least 1')
      .max(MAX_SESSION_SECONDS, `may be at most ${MAX_SESSION_SECONDS}`)
      .exactOptional()
      .describe('With `approve`: later calls of the same action with the same key, user and session need no approval for so long'),
  })
  .register(components, { id: 'DecideApprovalRequest' }) satisfies z.ZodType<DecideRequest>;
