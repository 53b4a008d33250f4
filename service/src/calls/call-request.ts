/** One caller's request, as a route or a room of the service hands it to `Calls`. */
import type { CallerAsk } from '#sdk/protocol/ask';
import type { Progress } from '#sdk/protocol/http';
import type { Prefer } from '#sdk/protocol/prefer';
import type { TraceContext } from '#sdk/protocol/trace-context';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import type { CallerCredentials } from '../lib/caller-credentials';
import type { AskingRule } from '../rules/call-rules';

export interface CallRequest {
  key: CallingKey;
  /** The parsed request body, or only the model's arguments. Of a detached call: a `DecodedInvocation`. */
  body: unknown;
  idempotencyKey: string | undefined;
  timeoutMs: number | undefined;
  /** Calls `listener` when the caller disconnects; immediately when it already has. */
  onDisconnect(listener: () => void): void;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Maximum length of the result. The answer to a longer one contains its first part. */
  maxResultChars?: number | undefined;
  /** Passed on to the handler. */
  trace?: TraceContext | undefined;
  /** The search that led to the request, according to the caller. */
  searchId?: string | undefined;
  /** The program that made the call: one of the model's provider, or a run of the service, `run_…`. */
  madeBy?: string | undefined;
  /** The caller's ids of session and user. */
  callerIds?: CallerIds | undefined;
  /** The caller's credentials for toolkits that ask for them. */
  credentials?: CallerCredentials | undefined;
  /** Toolkit id -> the kept connection that the caller chose. */
  connectionNames?: ReadonlyMap<string, string> | undefined;
  /** The most that the call may cost, in millionths. */
  maxPayment?: bigint | undefined;
  /** The version of the action that the caller decided about, or `NO_ACTION_VERSION`. */
  actionVersion?: string | undefined;
  /** The caller's own rules about calls that its human approves. */
  ask?: CallerAsk | undefined;
  /** How long to wait for a person or a long result, and whether to answer with a handle then. */
  prefer?: Prefer | undefined;
  /** The service makes the call for a caller that has left: a draining node does not wait for it. */
  detached?: true | undefined;
  /** The id of the call, if this request starts it. Default: a new one. */
  invocationId?: string | undefined;
  /** The approval because of which the service makes the call: no rule asks again. */
  approvalId?: string | undefined;
  /** The rule under which a person approved it: another one that asks by now refuses it. */
  approvedRule?: AskingRule | undefined;
}

/** Called once, with an error, or the JSON text of an `InvokeResponse`, or with 202 that of an `UnfinishedInvocation`. */
export type AnswerCaller = (error: unknown, responseJson: string, status?: 200 | 202) => void;

/** Calls back, possibly before it returns. Never throws. */
export type Begin = (request: CallRequest, answer: AnswerCaller) => void;

/** The answer to a call that did not fail. */
export interface AnsweredCall {
  json: string;
  status: 200 | 202;
}

/** Rejects with SvcError. */
export type Invoke = (request: CallRequest) => Promise<AnsweredCall>;
