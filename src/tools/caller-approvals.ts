/**
 * The approvals of one user's calls: what happens when the service answers that a person has to decide first.
 *
 * Rule:   after a decision the same call is made again, with the same idempotency key: its answer says what holds. A call makes no second question.
 * Errors: APPROVAL_REQUIRED stays without a decision in time.
 * Source: docs/protocol.md, section 12.
 */
import type { ApprovalInfo, DecideRequest, RequiredApproval } from '../protocol/approvals';
import { SvcError } from '../protocol/errors';
import type { InvokeResponse, ResolveResponse, UnfinishedInvocation } from '../protocol/http';
import { untilAborted } from '../protocol/until-aborted';
import { approvalForModel } from './handle-texts';
import { Questions } from './questions';

/** A call that waits for the decision of the application's own user. */
export interface ApprovalQuestion extends RequiredApproval {
  /** Action id. */
  action: string;
  /** The payload that will run. */
  payload: { [name: string]: unknown };
  userId: string | undefined;
}

/** A decision, or undefined when the user will decide later. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only shows the question returns nothing
export type ApprovalAnswer = DecideRequest['decision'] | DecideRequest | undefined | void;

/** Asks the application's own user about a call. */
export type AskToApprove = (call: ApprovalQuestion) => ApprovalAnswer | Promise<ApprovalAnswer>;

export interface CallerApprovalOptions {
  approvals?: 'report' | 'wait' | undefined;
  onApprovalRequired?: AskToApprove | undefined;
}

/** The requests about approvals. */
export interface ApprovalRequests {
  follow(
    handle: string,
    options: { wait: number; timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<InvokeResponse | UnfinishedInvocation>;
  decide(approvalId: string, decision: DecideRequest): Promise<ApprovalInfo>;
  /** Resolves early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface UnapprovedCall<T> {
  error: SvcError;
  userId: string | undefined;
  /** The model reads its next step in the error. */
  forModel: boolean;
  /** Whether the user has approved this call already, as the application knows. */
  isApproved: ((approval: RequiredApproval) => boolean) | undefined;
  /** The time of one try. */
  timeoutMs: number;
  /** The end of the time of the call, by `performance.now()`. The wait for the application's own user does not count. */
  endsAt: number;
  signal: AbortSignal | undefined;
  /** Makes the same call again. */
  send(timeoutMs: number): Promise<T>;
  resolve(): Promise<AskedCall>;
}

/** The call that a person is asked about. */
interface AskedCall {
  action: Pick<ResolveResponse['action'], 'action'>;
  payload: ResolveResponse['payload'];
}

/** The wait of one request: below the idle time after which proxies close connections. */
const ROUND_SECONDS = 45;
/** The time between two requests about the same question. */
const PAUSE_MS = 250;
/** The limit of one call: an application that approves everything ends there when the service asks anew each time. */
const MAX_QUESTIONS = 3;

export class CallerApprovals {
  readonly #options: CallerApprovalOptions;
  readonly #requests: ApprovalRequests;
  readonly #questions = new Questions();

  constructor(options: CallerApprovalOptions, requests: ApprovalRequests) {
    this.#options = options;
    this.#requests = requests;
  }

  /** Goes on with a call that was refused with APPROVAL_REQUIRED. */
  async goOn<T>(call: UnapprovedCall<T>): Promise<T> {
    const { endsAt } = call;
    const seen = new Set<string>();
    for (let { error } = call; ; ) {
      const approval = requiredBy(error);
      if (!approval) throw error;
      if (seen.has(approval.id)) await this.#requests.sleep(PAUSE_MS, call.signal);
      const mayDecide = approval.decidedBy === 'app' && !seen.has(approval.id) && seen.size < MAX_QUESTIONS;
      seen.add(approval.id);
      const isDecided = mayDecide && (await this.decide(approval, call));
      if (!isDecided && !(await this.#waitForDecision(approval, endsAt, call.signal)))
        throw call.forModel ? approvalForModel(approval, this.#asksUser(approval)) : error;
      try {
        return await call.send(isDecided ? call.timeoutMs : Math.max(1, Math.ceil(endsAt - performance.now())));
      } catch (refusal) {
        if (!requiredBy(refusal)) throw refusal;
        error = refusal as SvcError;
      }
    }
  }

  #asksUser({ decidedBy }: RequiredApproval): boolean {
    return decidedBy === 'app' && this.#options.onApprovalRequired !== undefined;
  }

  /** False if the application decides later, or not at all. */
  async decide(
    approval: RequiredApproval,
    { userId, isApproved, signal, resolve }: Pick<UnapprovedCall<unknown>, 'userId' | 'isApproved' | 'signal' | 'resolve'>,
  ): Promise<boolean> {
    if (isApproved?.(approval)) return this.#sendDecision(approval, { decision: 'approve' });
    if (!this.#options.onApprovalRequired) return false;
    const question = async () => {
      const { action, payload } = await resolve();
      const answer = await this.#ask({ ...approval, action: action.action, payload, userId });
      return answer ? this.#sendDecision(approval, typeof answer === 'string' ? { decision: answer } : answer) : false;
    };
    const decided = this.#questions.ask(approval.id, question);
    return signal ? untilAborted(signal, decided) : decided;
  }

  /** The call itself says what was decided before. */
  async #sendDecision({ id }: RequiredApproval, decision: DecideRequest): Promise<true> {
    await this.#requests.decide(id, decision).catch((error: unknown) => {
      if (!SvcError.is(error) || error.code !== 'CONFLICT') throw error;
    });
    return true;
  }

  async #ask(call: ApprovalQuestion): Promise<ApprovalAnswer> {
    try {
      return await this.#options.onApprovalRequired?.(call);
    } catch (cause) {
      // The model does not read the reason, which may have secrets of the application.
      const message = 'A person has to approve this call first, and the application could not ask: onApprovalRequired failed';
      throw new SvcError('APPROVAL_REQUIRED', message, {}, { cause });
    }
  }

  /** False if there is no time left. */
  async #waitForDecision({ id }: RequiredApproval, endsAt: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#options.approvals !== 'wait') return false;
    for (;;) {
      const leftMs = Math.ceil(endsAt - performance.now());
      const seconds = Math.min(ROUND_SECONDS, Math.floor(leftMs / 1_000));
      if (seconds < 1) return false;
      const startedAt = performance.now();
      // The service may have answered nothing at all.
      if (!(await this.#isPending(id, seconds, leftMs, signal))) return performance.now() < endsAt;
      await this.#requests.sleep(Math.max(0, PAUSE_MS - (performance.now() - startedAt)), signal);
      signal?.throwIfAborted();
    }
  }

  async #isPending(id: string, seconds: number, timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      const found = await this.#requests.follow(id, { wait: seconds, timeoutMs, signal });
      return 'approval' in found && found.approval?.status === 'pending';
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      // A node that restarts: the question is in the store. Any other error is one of the call, which its next try has too.
      return error.retryable;
    }
  }
}

function requiredBy(error: unknown): RequiredApproval | undefined {
  return SvcError.is(error) && error.code === 'APPROVAL_REQUIRED' ? error.details.approval : undefined;
}
