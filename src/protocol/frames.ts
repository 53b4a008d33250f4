/**
 * The toolkit side of the wire: JSON-RPC 2.0 frames on one WebSocket. docs/protocol.md is the normative text.
 *
 * Terms: an *instance* is one Toolkit object in one process; its id stays the same through reconnects. Replicas are instances with the same key.
 * A request is answered on the same connection; what was invoked on an earlier connection is answered by a `result` request.
 */
import type { ActionIcon, ActionMeta } from './action-meta';
import type { ActionAuth, FrameConnection, ToolkitAuth } from './connections';
import type { ContentBlock } from './content';
import type { ActionAnnotations, Payment, Progress } from './http';
import type { LintFinding } from './lint';
import type { ToolkitProfile } from './toolkit-profile';

export const PROTOCOL_VERSION = 1;

/** Toolkit to service, unless noted. */
export const METHODS = {
  /** Request. First frame of a connection; may come again to change the list of actions. */
  register: 'register',
  /** Request, also before `register`. A part of a list of actions that a `register` on this connection will name. */
  actions: 'actions',
  /** Request. New name, description or profile of the toolkit. */
  update: 'update',
  /** Request. No new invocations for this instance, please. */
  drain: 'drain',
  /** Request. The answer proves that every frame sent before it has arrived. */
  heartbeat: 'heartbeat',
  /** Request. The outcome of an invocation that came on an earlier connection. */
  result: 'result',
  /** Request. Another connection for a running invocation, whose API refused the one that it has. */
  connection: 'connection',
  /** Notification. */
  progress: 'progress',
  /** Service to toolkit, request: its id is the invocation id, its answer the outcome. */
  invoke: 'invoke',
  /** Service to toolkit, notification. The invocation is still to be answered; the answer may be an error. */
  cancel: 'cancel',
  /** Service to toolkit, notification. A mistake of the toolkit in an invocation that ended, such as a charge above what was held. */
  warning: 'warning',
  /** Service to toolkit, notification. This node goes away: connect again, to another one, within the time given. */
  reconnect: 'reconnect',
} as const;

export interface ToolkitDetails extends ToolkitProfile {
  /** Display name. */
  name?: string;
  description?: string;
  /** The connection that the calls need. Absent: none, or unchanged in an update. Null: none any more. */
  auth?: ToolkitAuth | null;
}

export interface ActionRegistration {
  action: string;
  actionDescription: string;
  /** Text, short form or JSON Schema; see "Payload description" in docs/protocol.md. Absent: no payload. */
  payloadDescription?: unknown;
  /** A name for people. */
  title?: string;
  /** The result, in the forms of `payloadDescription`. Absent: any JSON. */
  resultDescription?: unknown;
  /** `_meta` for MCP clients, at most 8 KiB as JSON. */
  meta?: ActionMeta;
  /** Shown to people, at most 8 KiB as JSON. */
  icons?: ActionIcon[];
  annotations?: ActionAnnotations;
  /** Where it differs from its toolkit's. */
  auth?: ActionAuth;
  /** A call may take up to a day. Callers get a handle when they do not wait for it. */
  long?: boolean;
  /** The most that one call costs. `currency` defaults to the service's, and must be it. Absent: the action is free. */
  payment?: { amount: string; currency?: string };
}

export interface RegisterParams {
  protocol: number;
  /** `svc-sdk-js/1.0.0`: for the operator's eyes. */
  sdk: string;
  instance: string;
  toolkit?: ToolkitDetails;
  /** The whole list; or `list`. */
  actions?: ActionRegistration[];
  list?: ActionListName;
  /** Invocations that this instance runs at a time; the service queues the rest. */
  concurrency: number;
  /** Invocations that this instance runs, or has results of that it does not know to have arrived. */
  unfinished: string[];
  /** The number of connections that this instance has registered on, this one included. Nodes compare it to find the newer of two. */
  connection?: number;
  /**
   * The number of earlier connections on which the registration was answered. A node that had the instance sees from this whether another one has had
   * it since: then an invocation that is not in `unfinished` may have arrived, and have been answered there.
   */
  registered?: number;
}

/** A long list of actions by its name, so that it travels once, in parts, and later its changes only. */
export interface ActionListName {
  /** Chosen by the toolkit, such as a hash of the list: the same name is the same list. */
  id: string;
  /** The number of its actions. */
  size: number;
  /** The name of an earlier list. The list of `id` is that list, without `remove`, with what the `actions` requests of this connection brought. */
  base?: string;
  /** Names of actions. */
  remove?: string[];
}

export interface ActionsParams {
  actions: ActionRegistration[];
}

export interface RegisterResult {
  protocol: number;
  toolkit: { id: string; name: string; description: string };
  /** Action ids. */
  accepted: string[];
  rejected: RejectedAction[];
  /** Findings of the linter about served actions. Absent when there are none. */
  warnings?: LintFinding[];
  /** How many more there are than `warnings` holds; absent is none. */
  moreWarnings?: number;
  /** Ids of accepted actions that agents cannot use before an owner's approval. Absent when there are none. */
  held?: string[];
  /** The invocations of `unfinished` whose outcome the service still needs. The rest may be forgotten. */
  awaiting: string[];
  heartbeatMs: number;
}

export interface RejectedAction {
  action: string;
  message: string;
}

export interface InvokeParams {
  /** Action name, without the toolkit id. */
  action: string;
  payload: unknown;
  /** Id of the agent key: the same for all calls of one agent. */
  agentId: string;
  /** Milliseconds that are left. */
  timeoutMs: number;
  /** The caller's idempotency key, or the invocation id when it gave none: the same for every attempt of one call. */
  idempotencyKey: string;
  /** 1, and one more each time that an idempotent action is sent again because the process that had it is gone. */
  attempt: number;
  /** The amount that the caller's key holds for the call: the most that the toolkit may charge. Absent: the call is free. */
  payment?: Payment;
  /** The user of the call: of its agent token, or as its caller named them, for this toolkit alone where it is another owner's. */
  userId?: string;
  /** The account with which the call acts. Absent: the toolkit or the action asks for none. */
  connection?: FrameConnection;
  /** W3C Trace Context of the call, when the caller or the service traces. */
  traceparent?: string;
  tracestate?: string;
}

export interface ResultParams {
  invocationId: string;
  /** Exactly one of the two. */
  result?: unknown;
  error?: FrameError;
  /** Blocks beside a result; a member of the answer to `invoke` too, after `result`. Absent when there is none. */
  content?: ContentBlock[];
  /** `_meta` of the result for MCP clients; a member of the answer to `invoke` too. */
  meta?: ActionMeta;
  /** The cost of the call; a member of the answer to `invoke` too, after `content`. Absent: all that is held. */
  payment?: { amount: string };
}

export interface ResultAnswer {
  /** False when no caller waits for that invocation any more. */
  accepted: boolean;
}

export interface ProgressParams extends Progress {
  invocationId: string;
}

export interface CancelParams {
  invocationId: string;
  reason: 'cancelled' | 'timeout';
}

export interface WarningParams {
  invocationId: string;
  /** A sentence or two for the developer of the toolkit. */
  message: string;
}

export interface ReconnectParams {
  /** A random time within so many milliseconds, so that not all come at once. */
  withinMs: number;
}

/** JSON-RPC 2.0, section 5.1. `data` of the service is a `ModelError`, `data` of a handler an `ActionErrorCause`. */
export interface FrameError {
  code: number;
  message: string;
  data?: unknown;
}

export const FRAME_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** The handler failed, or the service refused: `data.code` has the details. */
  failed: -32000,
  /** The instance had that invocation and does not know its outcome; the agent gets OUTCOME_UNKNOWN. */
  outcomeUnknown: -32001,
} as const;

/** Close codes of the socket (RFC 6455 section 7.4.2 leaves 4000 to 4999 to applications). After `keyRefused` a client stays away. */
export const CLOSE_CODES = {
  normal: 1000,
  goingAway: 1001,
  /** Too many unfinished frames at this moment. */
  tryAgainLater: 1013,
  protocolError: 4400,
  /** The reason is the error code: `KEY_REVOKED`, `KEY_EXPIRED`. */
  keyRefused: 4401,
  handshakeTimeout: 4408,
  /** A newer connection of the same instance has taken over. */
  replaced: 4409,
  silent: 4410,
} as const;
