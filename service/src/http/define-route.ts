/**
 * A declared route of the HTTP API: method, path, access, input, answer and handler. The declaration is the source of the checks before the
 * handler, the types of its input and answer, `/v1/openapi.json` and the types of the console's client.
 */
import type { Context } from 'hono';
import type * as z from 'zod';
import type { LimitedRequest } from '../accounts/change-limits';
import type { Principal } from '../accounts/principal';
import type { CallingKey } from '../keys/agent-tokens';
import type { RequestEnv } from './request-env';

type Schema = z.ZodType;

/**
 * `agent` accepts agent keys and agent tokens, `agent key` no token. `person or agent key`: the route decides about an agent key. `owner` completes the sentence "Only owners may …"; an admin key has the
 * rights of an owner. `link` needs no key: the body has the token of a one-time link.
 */
export type Access = 'anyone' | 'link' | AgentAccess | 'person' | 'person or agent key' | { owner: string };
type AgentAccess = 'agent' | 'agent key' | 'agent or toolkit';

/** A body that the handler decodes: any JSON. The schema only documents it. */
export interface RawBody<Documented extends Schema = Schema> {
  documentedBy: Documented;
  /** The handler also reads the body from the request, and authorises the caller again afterwards. */
  isReadByHandler?: true;
}

/** Content type -> description of the stream. */
type Stream = Readonly<Record<`${string}/${string}`, string>>;

export interface Route<Deps> {
  /** `operationId` in the OpenAPI document: generated clients name their functions after it. */
  readonly id: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI path template, such as `/v1/keys/{id}`. */
  readonly path: string;
  readonly access: Access;
  /** Serves only agent keys and agent tokens, and ids of this form. Another route has the path for all other requests. */
  readonly agentIds?: RegExp;
  readonly query?: z.ZodObject | undefined;
  /** Request headers that the handler reads, as OpenAPI parameters. */
  readonly headers?: readonly object[];
  readonly body?: Schema | RawBody | undefined;
  /** The body is that of an HTML form (RFC 6749 sections 4.1.3 and 6); the RFCs describe its members. */
  readonly form?: true;
  /** Maximum size of the body. Default: the limit `requestBodyBytes`. */
  readonly bodyBytes?: number;
  /** Returns the error message for an invalid body. Default: a message that lists up to five places. */
  readonly refusal?: (issue: z.core.$ZodIssue | undefined, params: Readonly<Record<string, string>>) => string;
  /** Schema of the JSON answer. */
  readonly answer?: Schema | undefined;
  /** Schema of the JSON answer with status 202. */
  readonly accepted?: Schema;
  /** A stream instead of JSON. With `answer`, only for callers whose `Accept` header asks for it. */
  readonly stream?: Stream;
  /** Response headers: name -> description. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Schema of the answer with status 503, if that is not a problem document. */
  readonly unavailable?: Schema;
  /** Default: 200, or 204 without `answer` and `stream`. */
  readonly status?: 201;
  /** The rate limit of requests other than GET. Default: `change`. */
  readonly limit?: LimitedRequest;
  handle(request: AnyRequest, deps: Deps): unknown;
}

/** Maximum size of a body of a caller without a key or a session. */
export const STRANGER_BODY_BYTES = 4_096;

/** A route without its handler: for the OpenAPI document, and where hono does not serve it. */
export type DocumentedRoute = Omit<Route<never>, 'handle'>;

/** A request of any route, before the route's own types narrow it. */
export interface AnyRequest {
  context: Context<RequestEnv>;
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
  /** `performance.now()` before the request was admitted. */
  receivedAt: number;
  /** Set for the access of agents, and for an agent key. */
  key?: CallingKey;
  /** Set for the access `person` and `owner`. */
  principal?: Principal;
}

type RouteRequest<Path extends string, Who extends Access, Query, Body> = {
  context: Context<RequestEnv>;
  params: Readonly<Record<ParamsOf<Path>, string>>;
  query: OutputOf<Query>;
  body: Body extends RawBody ? unknown : OutputOf<Body>;
  receivedAt: number;
} & (Who extends 'anyone' | 'link'
  ? unknown
  : Who extends AgentAccess
    ? { key: CallingKey }
    : Who extends 'person or agent key'
      ? { key?: CallingKey; principal?: Principal }
      : { principal: Principal });

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never;
type OutputOf<Part> = Part extends Schema ? z.output<Part> : undefined;
/** The JSON of the answer, or a whole `Response` for a stream or extra headers. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer has no return statement
type Reply<Answer> = Response | (Answer extends Schema ? z.output<Answer> : void);

export function defineRoute<
  const Path extends string,
  const Method extends Route<never>['method'],
  const Who extends Access,
  Deps = unknown,
  Query extends z.ZodObject | undefined = undefined,
  Body extends Schema | RawBody | undefined = undefined,
  Answer extends Schema | undefined = undefined,
>(
  route: Omit<Route<Deps>, 'handle' | 'method' | 'path' | 'access' | 'query' | 'body' | 'answer'> & {
    readonly method: Method;
    readonly path: Path;
    readonly access: Who;
    readonly query?: Query;
    readonly body?: Body;
    readonly answer?: Answer;
    handle(request: RouteRequest<Path, Who, Query, Body>, deps: Deps): Reply<Answer> | Promise<Reply<Answer>>;
  },
): typeof route {
  return route;
}

/** The types of a list of routes for their clients: `GET /v1/keys` -> query, body and answer. */
export type ClientApi<Routes extends readonly Pick<Route<never>, 'method' | 'path'>[]> = {
  [Each in Routes[number] as `${Each['method']} ${Each['path']}`]: {
    params: ParamsOf<Each['path']>;
    query: Each extends { query?: infer Query } ? (NonNullable<Query> extends Schema ? z.input<NonNullable<Query>> : undefined) : undefined;
    body: InputOf<Each extends { body?: infer Body } ? NonNullable<Body> : undefined>;
    answer: Each extends { answer?: infer Answer } ? OutputOf<NonNullable<Answer>> : undefined;
  };
};

type InputOf<Body> = Body extends Schema ? z.input<Body> : Body extends RawBody<infer Documented> ? z.input<Documented> : undefined;
