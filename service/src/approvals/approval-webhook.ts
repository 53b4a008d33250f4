/**
 * Sends approvals to a webhook: `approval.requested`, whose signed answer may decide, and `approval.decided`.
 *
 * Shape:  each message is sent at least once, from its row, by one node at a time; a failed one again and again, until the approval is removed.
 * Rule:   an answer decides only if it is signed for this very message. Its effect is that of any decision: the first one counts.
 */
import { decideRequest } from '#sdk/protocol/approval-schemas';
import type { DecideRequest } from '#sdk/protocol/approvals';
import { SvcError } from '#sdk/protocol/errors';
import type { KeyRing } from '../keys/key-ring';
import type { GuardedFetch } from '../lib/guarded-fetch';
import type { Logger } from '../lib/logger';
import { signedPost } from '../lib/signed-post';
import { isSigned } from '../lib/webhook-signature';
import type { CallApprovalRecord, CallApprovalStore, ToldApproval } from '../store/approval-store';
import type { ApprovalDecisions } from './approval-decisions';
import { toApprovalInfo } from './approval-info';
import type { ApprovalHook, WebhookSetting } from './webhook-setting';

/** Longer than an answer may take: another node sends the message then. */
const LEASE_MS = 30_000;
/** Pauses before the next tries; the last one repeats. */
const PAUSES_MS = [500, 5_000, 60_000, 600_000];
const MAX_IN_FLIGHT = 20;

export interface ApprovalWebhookDeps {
  store: CallApprovalStore;
  setting: WebhookSetting;
  decisions: Pick<ApprovalDecisions, 'decide'>;
  keys: Pick<KeyRing, 'find'>;
  payloadOf(record: CallApprovalRecord): string | undefined;
  pageOf(id: string): string | undefined;
  fetch: GuardedFetch;
  logger: Logger;
}

export class ApprovalWebhook {
  readonly #deps: ApprovalWebhookDeps;
  #inFlight = 0;

  constructor(deps: ApprovalWebhookDeps) {
    this.#deps = deps;
  }

  /** Sends what is due, without waiting for the answers. */
  async run(): Promise<void> {
    const { store, setting } = this.#deps;
    if (this.#inFlight >= MAX_IN_FLIGHT || !(await store.hasMessages())) return;
    const hook = await setting.hook();
    if (!hook) return;
    for (const record of await store.claimMessages(MAX_IN_FLIGHT - this.#inFlight, LEASE_MS)) void this.#deliver(record, hook);
  }

  async #deliver(record: CallApprovalRecord, hook: ApprovalHook): Promise<void> {
    const { store, logger } = this.#deps;
    const told = messageOf(record);
    this.#inFlight++;
    try {
      if (told === undefined) return await store.messageFailed(record.id, undefined);
      const answer = await this.#send(record, told, hook);
      await store.messageSent(record.id, told);
      if (told === 'requested') await this.#decide(record, answer, hook);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      logger.warn({ approval: record.id, why }, 'cannot send an approval to its webhook yet: tries again');
      const pause = PAUSES_MS[Math.min(record.tellTries, PAUSES_MS.length) - 1];
      await store.messageFailed(record.id, pause).catch(() => {});
    } finally {
      this.#inFlight--;
    }
  }

  async #send(record: CallApprovalRecord, told: ToldApproval, { url, secret }: ApprovalHook): Promise<SignedAnswer> {
    const { keys, payloadOf, pageOf, fetch } = this.#deps;
    const key = await keys.find(record.agentKeyId);
    const page = pageOf(record.id);
    const approval = toApprovalInfo(record, key, told === 'requested' ? payloadOf(record) : undefined);
    const body = JSON.stringify({ type: `approval.${told}`, ...(page !== undefined && { url: page }), approval });
    const id = messageId(record, told);
    const answer = await fetch(url, signedPost(secret, { id, body }));
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return { id, body: await answer.text(), headers: answer.headers };
  }

  /** An answer that does not decide, or that is not signed, is ignored: people decide. */
  async #decide(record: CallApprovalRecord, answer: SignedAnswer, { secret, url }: ApprovalHook): Promise<void> {
    const { decisions, logger } = this.#deps;
    const decided = readDecision(answer.body);
    if (!decided) return;
    if (!isSigned(secret, { ...answer, now: Date.now() }))
      return logger.warn({ approval: record.id }, 'ignores a decision of the approval webhook without a valid signature');
    try {
      await decisions.decide(record, decided, { kind: 'address', name: new URL(url).host });
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      logger.info({ approval: record.id, why: error.message }, 'a decision of the approval webhook has no effect');
    }
  }
}

interface SignedAnswer {
  id: string;
  body: string;
  headers: Headers;
}

/** Undefined: neither message is needed. */
function messageOf({ status, told }: CallApprovalRecord): ToldApproval | undefined {
  if (told === null) return status === 'pending' ? 'requested' : undefined;
  return told === 'requested' && status !== 'pending' ? 'decided' : undefined;
}

/** The same for each try, so that a receiver recognises a repetition. */
function messageId({ id }: CallApprovalRecord, told: ToldApproval): string {
  return `${id}.${told}`;
}

function readDecision(body: string): DecideRequest | undefined {
  try {
    const parsed = decideRequest.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
