/** Request headers, response headers and streams of the OpenAPI document. */
import { AMOUNT } from '#sdk/protocol/amount';
import { MAX_CONNECTIONS_CHARS } from '#sdk/protocol/connections';
import { HEADERS, MIN_RESULT_CHARS } from '#sdk/protocol/http';
import { MAX_CALLER_ID_CHARS } from '#sdk/protocol/ids';
import { PROGRAM } from '#sdk/protocol/program-calls';
import { MAX_USAGE_CHARS } from '#sdk/protocol/usage';
import { ACTION_VERSION } from './read-action-version';

export const idempotencyKey = {
  name: HEADERS.idempotencyKey,
  in: 'header',
  description: 'Names the call: a retry with the same key returns the first result and never runs the action again',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

export const timeout = {
  name: HEADERS.timeoutMs,
  in: 'header',
  description: 'Milliseconds that the caller waits',
  schema: { type: 'integer', minimum: 1 },
};

export const prefer = {
  name: HEADERS.prefer,
  in: 'header',
  description:
    "RFC 7240. `wait=<seconds>`: how long to wait for a person's decision. `respond-async`: answer 202 with a handle, and go on; with `wait` after that time, and only for an action that is declared `long`",
  schema: { type: 'string' },
};

export const ask = {
  name: HEADERS.ask,
  in: 'header',
  description:
    "The caller's own rules about calls that its human approves: `destructive`, `above=<amount>`, `always`, separated by commas. The service asks as if a rule of the key did",
  schema: { type: 'string' },
};

export const maxResultChars = {
  name: HEADERS.maxResultChars,
  in: 'header',
  description:
    'Maximum characters of the result in one answer. The answer to a longer result contains its first part; svc__read_result returns the rest',
  schema: { type: 'integer', minimum: MIN_RESULT_CHARS },
};

export const searchId = {
  name: HEADERS.searchId,
  in: 'header',
  description: 'Id of the search that led to this request, from the header of its answer',
  schema: { type: 'string', maxLength: 100 },
};

export const maxPayment = {
  name: HEADERS.maxPayment,
  in: 'header',
  description: 'The most that the call may cost: a decimal text such as 0.05. A call with a higher price is refused with PAYMENT_REQUIRED',
  schema: { type: 'string', pattern: AMOUNT.source },
};

export const actionVersion = {
  name: HEADERS.actionVersion,
  in: 'header',
  description:
    'The `version` from /v1/resolve: the call runs this version of the action, or is refused with ACTION_CHANGED. `none`: it runs nothing, and only returns a kept outcome',
  schema: { type: 'string', pattern: ACTION_VERSION.source },
};

export const userId = {
  name: HEADERS.userId,
  in: 'header',
  description: "The caller's id of the end user, for handlers and records. The `userId` of an agent token overrides it",
  schema: { type: 'string', minLength: 1, maxLength: MAX_CALLER_ID_CHARS, pattern: '^[\\x21-\\x7e]+$' },
};

export const sessionId = {
  name: HEADERS.sessionId,
  in: 'header',
  description: "The caller's id of the conversation, for records only",
  schema: { type: 'string', minLength: 1, maxLength: MAX_CALLER_ID_CHARS, pattern: '^[\\x21-\\x7e]+$' },
};

export const usage = {
  name: HEADERS.usage,
  in: 'header',
  description:
    'The tokens that the model used since the last report, of a request with `Svc-Session-Id`: `"gpt-6";id="u1";input=1200;cached=1024;output=86`, an RFC 9651 list of at most 8. A repeated id counts once',
  schema: { type: 'string', maxLength: MAX_USAGE_CHARS },
};

export const connections = {
  name: HEADERS.connections,
  in: 'header',
  description:
    "The caller's credentials, for toolkits that ask for them: `github Bearer <token>, shop Basic <base64>, maps ApiKey <key>`. Only the toolkit of the call gets its own",
  schema: { type: 'string', minLength: 1, maxLength: MAX_CONNECTIONS_CHARS, pattern: '^[\\x20-\\x7e]+$' },
};

export const connectionNames = {
  name: HEADERS.connectionNames,
  in: 'header',
  description: "The user's connections to use, where a user has several of one toolkit: `github work, shop main`",
  schema: { type: 'string', minLength: 1, maxLength: MAX_CONNECTIONS_CHARS, pattern: '^[\\x20-\\x7e]+$' },
};

export const caller = {
  name: HEADERS.caller,
  in: 'header',
  description:
    "`program`: a program of the model's provider made the call. It runs only if its action is `readOnly`, or `idempotent` and not `destructive`, and no rule asks a person; otherwise CALL_DIRECTLY",
  schema: { type: 'string', enum: [PROGRAM] },
};

export const SEARCH_ID_OF_ANSWER = { [HEADERS.searchId]: 'Id of this search: send it with calls of the actions in the answer' };

/** The stream of an invoke, by its content type. */
export const INVOKE_EVENTS = {
  'text/event-stream': 'Events `progress` (Progress), then one `result` (InvokeResponse) or `error` (Problem)',
} as const;
