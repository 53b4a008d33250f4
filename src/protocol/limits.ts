/**
 * The limits of the service and their defaults: the one place, shown in docs/limits.md. `createService({ limits })` and
 * `svc-service serve --limit name=value` change them.
 */
export interface Limits {
  /** Bytes of one HTTP request body. */
  requestBodyBytes: number;
  /** Bytes of all request bodies that are not complete. */
  unfinishedBodyBytes: number;
  /** Connections of callers that may be open at a time, without the sockets of toolkits. */
  connections: number;
  /** Bytes of one payload, as JSON. */
  payloadBytes: number;
  /** Bytes of one result, as JSON; a larger one is cut, with a note of what was cut. */
  resultBytes: number;
  /** Bytes of one frame on a toolkit's socket. */
  frameBytes: number;
  /** Bytes of all frames on toolkits' sockets that are not complete. */
  unfinishedFrameBytes: number;
  /** Actions that one toolkit may register. */
  actionsPerToolkit: number;
  /** Bytes of all names, descriptions and payload schemas of one toolkit, as JSON. */
  toolkitTextBytes: number;
  /** Registrations of one toolkit key in a minute that change the catalogue. */
  changedRegistrationsPerMinute: number;
  /** Characters of a toolkit's display name. */
  toolkitNameChars: number;
  /** Characters of the description of a toolkit or an action; models read all of it. */
  descriptionChars: number;
  /** Bytes of one payload description, as JSON. */
  payloadDescriptionBytes: number;
  /** Levels of nesting in a payload description. */
  payloadDescriptionDepth: number;
  /** Characters of a search query. */
  queryChars: number;
  /** Sockets that one toolkit key may hold at a time: its replicas. */
  socketsPerKey: number;
  /** Invocations of one agent key that may run or wait at a time. */
  invocationsPerKey: number;
  /** Invocations of one toolkit that may run at a time, over all its replicas. */
  invocationsPerToolkit: number;
  /** Invocations that may wait for a free replica of one toolkit. */
  queueLength: number;
  /** Milliseconds an invocation may take when the caller names no deadline. */
  defaultTimeoutMs: number;
  /** Milliseconds that a caller may ask for at most. */
  maxTimeoutMs: number;
  /** Milliseconds that a caller may ask for at most, for an action that is declared `long`. */
  longTimeoutMs: number;
  /** Calls of one agent key that may run longer than their requests at a time. */
  detachedPerKey: number;
  /** Runs of code of one agent key that may be in progress at a time. */
  runsPerKey: number;
  /** Runs of code of one agent key that may wait for a person, an account or long work at a time. */
  waitingRunsPerKey: number;
  /** Questions of one agent key that may wait for a person at a time. */
  approvalsPerKey: number;
  /** Milliseconds that a question waits for a person. */
  approvalMs: number;
  /** Milliseconds a client may take to send the headers of a request. */
  headersTimeoutMs: number;
  /** Milliseconds a client may take to send a whole request. */
  requestTimeoutMs: number;
  /** Milliseconds that a client may leave an answer unread. */
  answerTimeoutMs: number;
  /** Milliseconds from a toolkit's socket opening to its `register` frame. */
  handshakeTimeoutMs: number;
  /** Milliseconds between two heartbeats of a toolkit; a socket silent for 2.5 of them is dead. */
  heartbeatMs: number;
  /** Milliseconds that a toolkit process which lost its connection has to come back with its results. */
  reconnectGraceMs: number;
  /**
   * Milliseconds that a call which must not run twice waits for its process when that is most likely there: after a reset of the connection, and
   * after a restart of the service. A toolkit may wait 30 s between two tries.
   */
  takeoverGraceMs: number;
  /** Milliseconds that a result is kept for a retry with the same idempotency key. */
  idempotencyMs: number;
  /** Bytes of the results of one agent key that are kept for retries; above it the oldest are removed. */
  keptResultBytesPerKey: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  requestBodyBytes: 2 * 1024 * 1024,
  unfinishedBodyBytes: 64 * 1024 * 1024,
  connections: 10_000,
  payloadBytes: 1024 * 1024,
  resultBytes: 1024 * 1024,
  frameBytes: 8 * 1024 * 1024,
  unfinishedFrameBytes: 64 * 1024 * 1024,
  actionsPerToolkit: 5_000,
  toolkitTextBytes: 8 * 1024 * 1024,
  changedRegistrationsPerMinute: 60,
  toolkitNameChars: 64,
  descriptionChars: 4_000,
  payloadDescriptionBytes: 64 * 1024,
  payloadDescriptionDepth: 32,
  queryChars: 1_000,
  socketsPerKey: 64,
  invocationsPerKey: 1_000,
  invocationsPerToolkit: 10_000,
  queueLength: 1_000,
  defaultTimeoutMs: 60_000,
  maxTimeoutMs: 600_000,
  longTimeoutMs: 24 * 60 * 60 * 1000,
  detachedPerKey: 100,
  runsPerKey: 10,
  waitingRunsPerKey: 100,
  approvalsPerKey: 100,
  approvalMs: 24 * 60 * 60 * 1000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  answerTimeoutMs: 60_000,
  handshakeTimeoutMs: 10_000,
  heartbeatMs: 15_000,
  reconnectGraceMs: 5_000,
  takeoverGraceMs: 35_000,
  idempotencyMs: 24 * 60 * 60 * 1000,
  keptResultBytesPerKey: 64 * 1024 * 1024,
};
