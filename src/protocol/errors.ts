/**
 * The one error of svc-sdk, on every side: thrown by the SDK, sent as an RFC 9457 problem document over HTTP, as `error.data` of a JSON-RPC
 * answer on the toolkit socket, and as compact JSON to a model. docs/errors.md has each code's cause and cure.
 */
import type { RequiredApproval } from './approvals';
import type { RequiredConnection } from './connections';
import { errorJson, errorText } from './error-text';

/** Stable names for what can go wrong. Programs decide on these; the message is for people and models. */
export type SvcErrorCode = keyof typeof ERRORS;

interface ErrorFacts {
  /** HTTP status (RFC 9110), 0 for errors that never cross HTTP. */
  status: number;
  /** One line that is the same for every occurrence: the RFC 9457 `title`. */
  title: string;
  /** True when the same call may succeed later without any change. */
  retryable: boolean;
}

export const ERRORS = {
  INVALID_REQUEST: { status: 400, title: 'The request is not understood', retryable: false },
  INVALID_KEY: { status: 401, title: 'The key is missing, mistyped or unknown', retryable: false },
  KEY_EXPIRED: { status: 401, title: 'The key has expired', retryable: false },
  KEY_REVOKED: { status: 401, title: 'The key was revoked', retryable: false },
  PAYMENT_REQUIRED: { status: 402, title: 'The key may not pay for this call', retryable: false },
  WRONG_KEY_KIND: { status: 403, title: 'Another kind of key is needed', retryable: false },
  NOT_SIGNED_IN: { status: 401, title: 'Not signed in', retryable: false },
  SIGN_IN_FAILED: { status: 401, title: 'E-mail or password is wrong', retryable: false },
  FRESH_SIGN_IN_REQUIRED: { status: 403, title: 'This needs a new sign-in', retryable: false },
  NOT_PERMITTED: { status: 403, title: 'Your role may not do this', retryable: false },
  ACTION_NOT_ALLOWED: { status: 403, title: 'The key may not use this action', retryable: false },
  CALL_DIRECTLY: { status: 403, title: 'A program may not make this call', retryable: false },
  APPROVAL_REQUIRED: { status: 403, title: 'A person has to approve the call first', retryable: false },
  APPROVAL_DENIED: { status: 403, title: 'The call was not approved', retryable: false },
  CONNECTION_REQUIRED: { status: 403, title: 'The call needs an account that is not connected', retryable: false },
  NOT_FOUND: { status: 404, title: 'There is nothing here', retryable: false },
  LIST_NOT_FOUND: { status: 404, title: 'The service does not know this list of actions', retryable: false },
  ACTION_NOT_FOUND: { status: 404, title: 'No toolkit offers this action', retryable: false },
  TOOLKIT_NOT_FOUND: { status: 404, title: 'There is no such toolkit', retryable: false },
  UNKNOWN_TOOL: { status: 0, title: 'There is no such tool', retryable: false },
  CONFLICT: { status: 409, title: 'The name is taken', retryable: false },
  ACTION_CHANGED: { status: 409, title: 'The action is not the one that the caller decided about', retryable: false },
  REQUEST_TOO_LARGE: { status: 413, title: 'The request is too large', retryable: false },
  INVALID_PAYLOAD: { status: 422, title: 'The payload does not fit the action', retryable: false },
  INVALID_ACTION: { status: 422, title: 'The action cannot be registered as it is', retryable: false },
  IDEMPOTENCY_MISMATCH: { status: 422, title: 'The idempotency key was used for another call', retryable: false },
  RATE_LIMITED: { status: 429, title: 'Too many calls', retryable: true },
  INVOCATION_CANCELLED: { status: 499, title: 'The caller cancelled', retryable: false },
  INTERNAL: { status: 500, title: 'The service failed', retryable: true },
  ACTION_FAILED: { status: 502, title: "The toolkit's handler failed", retryable: false },
  OUTCOME_UNKNOWN: { status: 502, title: 'It is unknown whether the action ran', retryable: false },
  TOOLKIT_OFFLINE: { status: 503, title: 'No process serves this toolkit now', retryable: true },
  QUEUE_FULL: { status: 503, title: 'Too many calls wait for this toolkit', retryable: true },
  SERVICE_UNAVAILABLE: { status: 503, title: 'The service cannot reach what it needs', retryable: true },
  SERVICE_STOPPING: { status: 503, title: 'The service is stopping', retryable: true },
  SERVICE_UNREACHABLE: { status: 0, title: 'The service does not answer', retryable: true },
  INVOCATION_TIMEOUT: { status: 504, title: 'No result in time', retryable: false },
  CONNECTION_CLOSED: { status: 0, title: 'The connection is closed', retryable: true },
} as const satisfies Record<string, ErrorFacts>;

/** Details that help to do better, beside code and message. All of it is JSON. */
export interface SvcErrorDetails {
  /** Overrides the code's own answer to "can the same call succeed later?" */
  retryable?: boolean;
  /** Wait at least this long before a retry, in milliseconds. */
  retryAfterMs?: number;
  /** The nearest ids to one that does not exist, best first. */
  didYouMean?: string[];
  /** Where a payload breaks its schema. */
  issues?: PayloadIssue[];
  /** The names of the payload's top-level keys, when the payload does not fit. */
  received?: string[];
  /** The error of an action's handler: its own code, message and data. */
  cause?: ActionErrorCause;
  /** The invocation that this is about. */
  invocationId?: string;
  /** How to connect the account that the call needs. */
  connect?: RequiredConnection;
  /** The question to a person, and what became of it. */
  approval?: RequiredApproval;
  /** Why a paid call was refused. */
  payment?: RefusedPayment;
}

/** All amounts are decimal texts, see `amount.ts`. */
export interface RefusedPayment {
  /** The most that the call costs. */
  price: string;
  currency: string;
  /** The rest of the key's budget of the day. Absent: the key has no budget. */
  left?: string;
  /** The end of the UTC day, when the budget is whole again. RFC 3339. */
  dayEndsAt?: string;
}

export interface PayloadIssue {
  /** JSON Pointer (RFC 6901) into the payload; '' is the payload itself. */
  path: string;
  message: string;
  /** The piece of schema that was broken. */
  schema?: unknown;
}

export interface ActionErrorCause {
  code: string;
  message: string;
  data?: unknown;
}

/** RFC 9457 problem document: the body of every HTTP error, `application/problem+json`. */
export interface Problem extends SvcErrorDetails {
  /** `urn:svc-sdk:error:<code>`. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code: SvcErrorCode;
  retryable: boolean;
}

/** The text for a model: compact, without fields for programs. */
export interface ModelError extends SvcErrorDetails {
  code: SvcErrorCode;
  message: string;
  retryable: boolean;
}

const brand = Symbol.for('svc-sdk.error');

export class SvcError extends Error {
  override readonly name = 'SvcError';
  readonly [brand] = true;
  readonly code: SvcErrorCode;
  readonly details: SvcErrorDetails;

  constructor(code: SvcErrorCode, message: string, details: SvcErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  /** True when the same call may succeed later without any change. */
  get retryable(): boolean {
    return this.details.retryable ?? ERRORS[this.code].retryable;
  }

  get retryAfterMs(): number | undefined {
    return this.details.retryAfterMs;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The JSON for a model; also what `JSON.stringify` gives. */
  toJSON(): ModelError {
    return { code: this.code, message: this.message, ...this.details, retryable: this.retryable };
  }

  toProblem(): Problem {
    const { status, title } = ERRORS[this.code];
    const { message, ...rest } = this.toJSON();
    return { type: `urn:svc-sdk:error:${this.code}`, title, status: status || 500, detail: message, ...rest };
  }

  /**
   * Undefined when the value is not a problem document of svc-sdk, such as a proxy's own error page. The texts have no key, no invisible characters,
   * and a message has at most 4,096 characters.
   */
  static fromProblem(value: unknown): SvcError | undefined {
    if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
    const { type, title, status, detail, code, ...details } = value as Problem;
    return Object.hasOwn(ERRORS, code) ? makeError(code, errorText(String(detail ?? '')), readableDetails(details)) : undefined;
  }

  /** Like `instanceof`, and still true when two copies of the package are installed. */
  static is(value: unknown): value is SvcError {
    return typeof value === 'object' && value !== null && brand in value;
  }
}

/** A class that names itself in its body comes out of the bundler as `_SvcError`, which an uncaught error would print. */
function makeError(...args: ConstructorParameters<typeof SvcError>): SvcError {
  return new SvcError(...args);
}

function readableDetails(details: SvcErrorDetails): SvcErrorDetails {
  const readable = errorJson(details) as SvcErrorDetails;
  const { cause } = readable;
  return typeof cause?.message === 'string' ? { ...readable, cause: { ...cause, message: errorText(cause.message) } } : readable;
}
