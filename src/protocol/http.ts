/**
 * The agent side of the wire: paths, headers and bodies of HTTP + JSON. docs/protocol.md is the normative text; `schemas.ts` holds the zod
 * schemas that the service parses requests with. No runtime dependency: `Tools` imports this in a browser or an edge function too.
 */
import type { ActionIcon, ActionMeta } from './action-meta';
import type { RequiredApproval } from './approvals';
import type { ContentBlock } from './content';
import type { ApprovalDecider, Rule } from './rules';

export const DEFAULT_BASE_URL = 'http://127.0.0.1:8787';

export const PATHS = {
  search: '/v1/search',
  invoke: '/v1/invoke',
  resolve: '/v1/resolve',
  explain: '/v1/explain',
  actions: '/v1/actions',
  toolkits: '/v1/toolkits',
  keys: '/v1/keys',
  /** Short-lived agent tokens. */
  tokens: '/v1/tokens',
  /** Calls that run longer than their request, by their handle. */
  invocations: '/v1/invocations',
  /** Programs of models. */
  runs: '/v1/runs',
  /** Tokens of models, of a turn that no call follows. */
  usage: '/v1/usage',
  /** Calls that a person has to decide about. */
  approvals: '/v1/approvals',
  /** Accounts of an app's users. */
  connections: '/v1/connections',
  connectionSessions: '/v1/connections/sessions',
  connectionConfirmations: '/v1/connections/confirm',
  openapi: '/v1/openapi.json',
  /** The process answers. */
  health: '/healthz',
  /** New calls should come to this node. */
  ready: '/readyz',
  /** Prometheus. */
  metrics: '/metrics',
  /** Model Context Protocol, streamable HTTP. */
  mcp: '/mcp',
  /** RFC 9728, of `mcp`; also with the path of `mcp` behind it. */
  protectedResource: '/.well-known/oauth-protected-resource',
  /** WebSocket upgrade for toolkits. */
  toolkitSocket: '/v1/toolkit',
} as const;

/** Default number of actions that a search names. */
export const DEFAULT_SEARCH_LIMIT = 10;

/** Default budget of tokens for them. */
export const DEFAULT_SEARCH_TOKENS = 1_200;

export const HEADERS = {
  /** Names the call: a retry with the same key gives the first result, never a second run. At most 255 characters of visible ASCII. */
  idempotencyKey: 'idempotency-key',
  /** Milliseconds that the caller waits for the result. */
  timeoutMs: 'svc-timeout-ms',
  /** RFC 7240: how long to wait for a person or a long result, and whether to answer with a handle then. See `prefer.ts`. */
  prefer: 'prefer',
  /**
   * Characters of a result that the caller shows a model at once, 1,000 or more: of a longer one it gets the first part, which says how to read on.
   */
  maxResultChars: 'svc-max-result-chars',
  /** The answer to a search names it; a call names the search that showed its action, a search the one before it in the same conversation. */
  searchId: 'svc-search-id',
  /** The most that the call may cost: an amount. The caller sets it, never the model. */
  maxPayment: 'svc-max-payment',
  /** The version of the action that the caller decided about, or `NO_ACTION_VERSION`: no other runs. The caller sets it, never the model. */
  actionVersion: 'svc-action-version',
  /** The caller's own rules about calls that need an approval, see `ask.ts`. The caller sets it, never the model. */
  ask: 'svc-ask',
  /** The end user that the agent works for, for handlers and records. At most 200 characters of visible ASCII. */
  userId: 'svc-user-id',
  /** The caller's credentials, by toolkit: `github Bearer gho_…, shop Basic dXNl…, maps ApiKey k`. At most 8,192 characters of visible ASCII. */
  connections: 'svc-connections',
  /** The connections to use, by toolkit, where a user has several: `github work, shop main`. */
  connectionNames: 'svc-connection-names',
  /** The conversation of the request, for records only. At most 200 characters of visible ASCII. */
  sessionId: 'svc-session-id',
  /** The tokens that the agent's model used since the last report, of a request that names its session. See `usage.ts`. */
  usage: 'svc-usage',
  /** `program`: a program of the model's provider made the call, see `program-calls.ts`. The caller sets it, never the model. */
  caller: 'svc-caller',
} as const;

/** The value of `HEADERS.actionVersion` of a caller whose `/v1/resolve` was refused: only a kept outcome is returned. */
export const NO_ACTION_VERSION = 'none';

/** The least of `HEADERS.maxResultChars`: the line that says how to read on needs some. */
export const MIN_RESULT_CHARS = 1_000;

/** A JSON Schema (draft 2020-12 unless `$schema` says otherwise) as plain data. */
export type JsonSchema = { [keyword: string]: unknown };

/** Hints for people and programs that decide whether to ask before a call; as in MCP. Absent means unknown. */
export interface ActionAnnotations {
  /** Changes nothing. */
  readOnly?: boolean;
  /** May destroy or overwrite something. */
  destructive?: boolean;
  /** A second run with the same payload changes nothing more. */
  idempotent?: boolean;
  /** Reaches things outside of the toolkit's own data, such as the web. */
  openWorld?: boolean;
}

/** A price: an amount (a decimal text, see `amount.ts`) and its currency. One service has one currency. */
export interface Payment {
  amount: string;
  currency: string;
}

/** The cost of a call: at most `authorised`, in the end `charged`. Both are amounts. */
export interface CallPayment {
  authorised: string;
  charged: string;
  currency: string;
}

/** The limits of an agent key for paid calls: amounts. A day is a UTC day. */
export interface Budget {
  perCall: string;
  perDay: string;
}

/** An action as agents see it. */
export interface ActionInfo {
  /** `<toolkit id>__<action name>`: pass it to invoke. */
  action: string;
  description: string;
  /** JSON Schema of an object. A free-text payload description is the `description` of a schema that accepts any object. */
  payloadSchema: JsonSchema;
  annotations?: ActionAnnotations;
  /** The most that one call costs. Absent: the action is free. */
  payment?: Payment;
  /** A call may run for up to a day, and may go on without its caller: `Prefer: respond-async`. */
  long?: true;
}

/** A place of an action's results that did not fit its `resultSchema`. */
export interface ResultMisfit {
  /** JSON Pointer with names of the schema; `*` is an index or any other name. */
  path: string;
  /** How many checked results did not fit there. */
  results: number;
}

/** An action in the catalogue. */
export interface CatalogAction extends ActionInfo {
  /** A name for people. */
  title?: string;
  /** JSON Schema of the result, an object. Absent: the toolkit does not say. */
  resultSchema?: JsonSchema;
  /** Where results of late did not fit it, most frequent first. Absent: every checked result fitted. */
  resultMisfits?: ResultMisfit[];
  /** `_meta` for MCP clients, with the addresses of `svc__read_resource` in place of the toolkit's `ui://` addresses. */
  meta?: ActionMeta;
  icons?: ActionIcon[];
  toolkit: string;
  /** A process serves it now. */
  online: boolean;
}

/** A toolkit in the catalogue. */
export interface CatalogToolkit {
  id: string;
  name: string;
  description: string;
  online: boolean;
  /** Processes that serve it now. */
  replicas: number;
  /** Number of actions. */
  actions: number;
}

/** An action that a search shows in full. */
export interface FoundAction extends ActionInfo {
  /** The result as a type on one line, of at most 100 tokens: `{id:int, note?:string|null}[]`. Absent: unknown, or the budget was short. */
  result?: string;
  /** JSON Schema of the result. Only for an action that was asked for by its exact id. */
  resultSchema?: JsonSchema;
  /**
   * Description or schema were too long and are not the whole ones; the schema still accepts every right payload. A search for the exact id
   * gives the whole.
   */
  shortened?: true;
}

/** An action that a search only names. A search for the exact id gives it in full. */
export interface MoreAction {
  action: string;
  /** The first sentence of the description; absent when there was no room. */
  description?: string;
  /** Id of an action above whose description speaks of this one, which is why it is here. */
  mentionedBy?: string;
}

export interface SearchRequest {
  /** The wanted action in plain words; or an exact action or toolkit id. */
  query: string;
  /** Maximum of actions, in full or by name, 1 to 50. Default: 10. */
  limit?: number;
  /**
   * Maximum of tokens (o200k_base) of the answer, 100 to 20,000. Default: 1,200. An action that is asked for by its exact id may take six times as
   * many.
   */
  maxTokens?: number;
}

export interface SearchResponse {
  /** Best first; all of them online. Descriptions and schemas are written by third parties: data, never instructions. */
  actions: FoundAction[];
  /** Actions that did not fit in full, best first; at the end actions that those above mention. All of them are online. */
  more?: MoreAction[];
  /** Ids that fit as well, whose toolkit is offline now. */
  offline?: string[];
  /** The next thing to try. */
  hint?: string;
}

/** Why a search gives an action, or does not; with an agent key, or with the key of the action's toolkit. */
export interface ExplainRequest {
  query: string;
  /** Action id. */
  action: string;
  /** Number of actions of the search, 1 to 50. Default: 10. */
  limit?: number;
}

/** A part of the query and what it brings, by the place where the action has it. */
export interface ExplainedTerm {
  /** The word as in the query, or as in name and description of the action where it is one word there; else as the search compares it. */
  term: string;
  /** A word; a name of several pieces; two neighbours; a word that means about the same. */
  kind: 'word' | 'name' | 'pair' | 'synonym';
  /** Higher the fewer actions have it. */
  rarity: number;
  /** Its points by words, from which the second stage makes the score. */
  fields: { [field in SearchField]?: number };
}

/** A feature of the second stage: value × weight is its part in the rank. */
export interface ExplainedFeature {
  feature: 'words' | 'query' | 'name' | 'description' | 'toolkit' | 'effect' | 'meaning' | 'usage';
  value: number;
  weight: number;
}

export type SearchField = 'name' | 'toolkit' | 'id' | 'description' | 'payload' | 'toolkitDescription';

export interface ExplainResponse {
  action: string;
  /** A search with this query and limit gives it. */
  found: boolean;
  /**
   * The rank from 1 among all actions that are online and that the caller may use; null when nothing of it fits. For an offline action: the rank that
   * it would have.
   */
  rank: number | null;
  /** False: the key may not use it, and the answer hides everything else, even whether there is such an action. */
  allowed: boolean;
  /** A process serves it now. */
  online: boolean;
  /** One sentence for people. */
  reason: string;
  score: number;
  /** The whole query is its id, its name, or the name of its toolkit: that comes before all words. */
  exact?: 'id' | 'name' | 'toolkit';
  /** Values of the second stage, for the best by words, the nearest by meaning and the used; empty for others. */
  features: ExplainedFeature[];
  /** Its matches with the query, the best first. */
  terms: ExplainedTerm[];
  /** Words of the query that it has not. */
  missing: string[];
  /** Points from agents that asked alike and then used it. */
  usage: number;
  /** Its place among the actions nearest to the query by meaning, from 1 on. Absent without embeddings, and when forty others are nearer. */
  meaning?: number;
  /** Actions before it, best first, at most 10. A toolkit key sees no scores of other toolkits. */
  outrankedBy: { action: string; score?: number }[];
}

export interface InvokeRequest {
  /** Action id. */
  action: string;
  /** Absent is `{}`. */
  payload?: unknown;
}

export interface InvokeResponse<Result = unknown> {
  invocationId: string;
  /** JSON, as the handler gave it. */
  result: Result;
  /** Images, files, links and texts that the handler gave beside it, in order. Written by third parties. */
  content?: ContentBlock[];
  /** `_meta` of the result for MCP clients, which no model reads. Written by third parties. */
  meta?: ActionMeta;
  /** Repaired slips of the model, one sentence each. */
  repaired?: string[];
  /** Present when the result was larger than the service's limit: `result` is then the beginning of its text. */
  cut?: { totalBytes: number; keptBytes: number };
  /** True when this is the kept answer of an earlier call with the same idempotency key. */
  replayed?: boolean;
  /** Present for a paid action. A replay shows the payment of the first call and costs nothing. */
  payment?: CallPayment;
}

/** The answer 202 to an invoke with `Prefer: respond-async`, and to `GET /v1/invocations/<handle>` while there is no result. */
export interface UnfinishedInvocation {
  /** The handle: `inv_…`, or the id of the approval, `apr_…`. */
  invocationId: string;
  /** `waiting`: for a person's decision. */
  status: 'running' | 'waiting';
  /** The newest report of the handler. */
  progress?: Progress;
  /** Present while it waits. */
  approval?: RequiredApproval;
}

/** The call that an invoke with the same body would run now, for a decision before it. */
export interface ResolveResponse {
  action: ActionInfo;
  /** Decoded and checked: exactly what the handler would get. */
  payload: { [name: string]: unknown };
  /** As in `InvokeResponse`. */
  repaired?: string[];
  /** The version of the action: with it as `actionVersion`, the call runs this action or none. Absent from services before 0.14. */
  version?: string;
  /** Present if a rule of the service asks a person before the call. */
  approval?: { decidedBy: ApprovalDecider } | RequiredApproval;
}

/** `GET /v1/actions?toolkit=&ids=a,b&cursor=&limit=`. */
export interface ActionsPage {
  actions: CatalogAction[];
  /** Pass it as `cursor` for the next page; absent on the last. */
  nextCursor?: string;
}

/** `GET /v1/toolkits`. */
export interface ToolkitsPage {
  toolkits: CatalogToolkit[];
  nextCursor?: string;
}

/** How far a running invocation is; as in MCP. Sent as server-sent events when the request accepts `text/event-stream`. */
export interface Progress {
  /** Grows with every report. */
  progress: number;
  total?: number;
  message?: string;
}

export type KeyKind = 'agent' | 'toolkit' | 'admin';

/** The scope of an agent key: every action of the toolkits, and the actions. */
export interface AllowList {
  toolkits: string[];
  actions: string[];
}

/** `POST /v1/keys`, with an admin key. */
export interface CreateKeyRequest {
  kind: KeyKind;
  /** The purpose of the key, for people. 1 to 64 characters. */
  name: string;
  /** The toolkit of a toolkit key. Default: a new toolkit, its id made from `name`. */
  toolkit?: string;
  /** The scope of an agent key; absent allows everything. */
  allow?: Partial<AllowList>;
  /** The rate limit of an agent key; absent means none. */
  callsPerMinute?: number;
  /** The limits of an agent key for paid calls; absent means that it neither finds nor may use paid actions. */
  budget?: Budget;
  /** The rules of an agent key: they decide which calls run, ask a person first, or are refused. At most 100. */
  rules?: Rule[];
  /** An agent key may run code (`POST /v1/runs`), where the service runs any. Default: false. */
  code?: boolean;
  expiresInDays?: number;
}

/** A key without its secret. Times are RFC 3339. */
export interface KeyInfo {
  id: string;
  kind: KeyKind;
  name: string;
  toolkit?: string;
  allow?: AllowList;
  callsPerMinute?: number;
  budget?: Budget;
  rules?: Rule[];
  /** The key may run code. */
  code?: true;
  createdAt: string;
  expiresAt?: string;
  revokedAt?: string;
  /** The secret before the last rotation works until then. */
  formerSecretUntil?: string;
}

export interface CreatedKey extends KeyInfo {
  /** The secret, shown this once. */
  key: string;
}

/** `POST /v1/tokens`, with an agent key: a token for a page or an app, where a key must not be. */
export interface CreateTokenRequest {
  /** Seconds that the token lasts, 1 to 3,600; never longer than its key. */
  ttlSeconds: number;
  /** A part of what the key may use; absent allows all of that. */
  allow?: Partial<AllowList>;
  /** The user of these calls, for the handlers' `ctx.userId`: an id of yours, 1 to 256 characters. */
  userId?: string;
}

export interface CreatedToken {
  /** `svc_token_…`, sent as a key is. */
  token: string;
  /** RFC 3339. */
  expiresAt: string;
}
