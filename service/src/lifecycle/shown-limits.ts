/** The limits of the running service with their units and meanings, for its page. */
import type { SystemReport } from '#sdk/protocol/alert-schemas';
import type { Limits } from '#sdk/protocol/limits';

const LIMITS: Record<keyof Limits, string> = {
  requestBodyBytes: 'Size of one HTTP request at most',
  unfinishedBodyBytes: 'Size of all request bodies that are not complete at most',
  connections: 'Connections of callers that may be open at a time',
  payloadBytes: 'Size of one payload at most',
  resultBytes: 'Size of one result at most; a larger one is cut',
  frameBytes: "Size of one frame on a toolkit's socket at most",
  unfinishedFrameBytes: "Size of all frames on toolkits' sockets that are not complete at most",
  actionsPerToolkit: 'Actions that one toolkit may register',
  toolkitTextBytes: 'Size of all texts of one toolkit at most, as JSON',
  changedRegistrationsPerMinute: 'Changes that one toolkit key may make to its actions and texts in a minute',
  toolkitNameChars: "Characters of a toolkit's name at most",
  descriptionChars: 'Characters of a description at most',
  payloadDescriptionBytes: 'Size of one payload description at most',
  payloadDescriptionDepth: 'Levels of nesting in a payload description',
  queryChars: 'Characters of a search at most',
  socketsPerKey: 'Processes that one toolkit key may connect at a time',
  invocationsPerKey: 'Calls of one agent key that may run or wait at a time',
  invocationsPerToolkit: 'Calls of one toolkit that may run at a time',
  queueLength: 'Calls that may wait for a free process of one toolkit',
  defaultTimeoutMs: 'Time that a call may take when its caller names no deadline',
  maxTimeoutMs: 'Time that a caller may ask for at most',
  longTimeoutMs: 'The same for an action that is declared long',
  detachedPerKey: 'Calls of one agent key that may run longer than their requests at a time',
  runsPerKey: 'Runs of code of one agent key that may be in progress at a time',
  waitingRunsPerKey: 'Runs of code of one agent key that may wait at a time',
  approvalsPerKey: 'Questions of one agent key that may wait for a person at a time',
  approvalMs: 'Time that a question waits for a person',
  headersTimeoutMs: 'Time that a client may take to send the headers of a request',
  requestTimeoutMs: 'Time that a client may take to send a whole request',
  answerTimeoutMs: 'Time that a client may leave an answer unread',
  handshakeTimeoutMs: "Time from a toolkit's connection to its registration",
  heartbeatMs: 'Time between two heartbeats of a toolkit',
  reconnectGraceMs: 'Time that a lost toolkit process has to reconnect with its results',
  takeoverGraceMs: 'Time that a call which must not run twice waits for its process after a reset or a restart of the service',
  idempotencyMs: 'Time that a result is kept for a retry of the same call',
  keptResultBytesPerKey: 'Size of the results of one agent key that are kept for retries',
};

export function shownLimits(limits: Limits): SystemReport['limits'] {
  return Object.entries(LIMITS).map(([name, meaning]) => ({
    name,
    value: limits[name as keyof Limits],
    unit: name.endsWith('Ms') ? 'ms' : /Bytes(?:PerKey)?$/.test(name) ? 'bytes' : '',
    meaning,
  }));
}
