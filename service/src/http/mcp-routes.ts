/** `/mcp`, and the OAuth metadata that MCP authorization requires of a resource server (RFC 9728). docs/protocol.md section 9. */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { Problem } from '#sdk/protocol/errors';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { readTraceContext } from '#sdk/protocol/trace-context';
import type { CallingKey } from '../keys/agent-tokens';
import { readCallerIds } from '../keys/caller-ids';
import { CallerCredentials, readConnectionNames } from '../lib/caller-credentials';
import { currentWork } from '../lib/current-work';
import type { McpCaller, OwnFetchDeps } from '../mcp/own-fetch';
import type { Sessions } from '../mcp/sessions';
import { errorDescription } from '../oauth/error-description';
import { issuerOf } from '../oauth/issuer';
import { SCOPE } from '../oauth/metadata';
import { anyOrigin } from './any-origin';
import type { AppDeps } from './app-deps';
import type { DocumentedRoute } from './define-route';
import { actionVersion, connectionNames, connections, maxPayment, sessionId, userId } from './documented-headers';
import { originOf } from './origin-of';
import { readActionVersion } from './read-action-version';
import { readMaxPaymentHeader } from './read-max-payment';

const METADATA = `${PATHS.protectedResource}${PATHS.mcp}`;

const mcpQuery = z.object({
  dynamicTools: z.boolean().exactOptional().describe('False leaves out search_services and invoke_service'),
  staticToolkits: z.string().exactOptional().describe('Toolkit ids, separated by commas'),
  staticActions: z.string().exactOptional().describe('Action ids, separated by commas'),
});

/** Served by `mcpRoutes`, which checks the host first and formats its own 401 answers. */
export const mcpDeclarations: readonly DocumentedRoute[] = [
  {
    id: 'sendMcpMessage',
    summary: 'Model Context Protocol, streamable HTTP',
    method: 'POST',
    path: PATHS.mcp,
    access: 'agent',
    query: mcpQuery,
    headers: [maxPayment, actionVersion, userId, sessionId, connections, connectionNames],
    answer: z.unknown(),
  },
  {
    id: 'getResourceMetadata',
    summary: 'Metadata of the MCP resource, RFC 9728',
    method: 'GET',
    path: PATHS.protectedResource,
    access: 'anyone',
    answer: z.unknown(),
  },
  {
    id: 'getMcpResourceMetadata',
    summary: 'Metadata of the MCP resource, at the path of RFC 9728 for /mcp',
    method: 'GET',
    path: METADATA,
    access: 'anyone',
    answer: z.unknown(),
  },
];

interface NodeEnv {
  Bindings: HttpBindings;
}

export function mcpRoutes(
  { gate, tokens, invoke, sessionSearches, bodies, hosts, origins, admin, logger }: AppDeps,
  dispatch: OwnFetchDeps['dispatch'],
): Hono<NodeEnv> {
  const app = new Hono<NodeEnv>();
  const stateKey = (caller: string) => tokens.stateKey(caller);
  const own: OwnFetchDeps = { invoke, logger, dispatch, stateKey, count: (key) => gate.count(key) };

  const originHere = (context: Context) => originOf(context, admin?.publicUrl);
  const issuerHere = (context: Context) => admin && issuerOf(originHere(context), admin.publicUrl);

  // The check runs first, so that no answer repeats the host name of a DNS rebinding attack.
  for (const path of [PATHS.mcp, PATHS.protectedResource, METADATA]) {
    app.use(path, async ({ req }, next) => (await import('../mcp')).refuseHost(req.raw, hosts) ?? next());
  }
  app.use(PATHS.mcp, async ({ req }, next) => (await import('../mcp')).refuseOrigin(req.raw, hosts, origins) ?? next());

  let sessions: Sessions | undefined;
  app.use(PATHS.mcp, async (context, next) => {
    await next();
    if (context.res.status !== 401) return;
    const authorization = context.req.header('authorization');
    const metadataUrl = originHere(context) + METADATA;
    const issuer = issuerHere(context);
    if (authorization === undefined) context.header('www-authenticate', challenge({ metadataUrl, issuer }));
    else if (issuer !== undefined && (await gate.isOfApp(authorization))) {
      const { detail } = (await context.res.clone().json()) as Problem;
      context.header('www-authenticate', challenge({ metadataUrl, issuer, refusal: detail }));
    } else {
      context.res = await refusedKey(context.res);
      // Hono copies the headers of the replaced response, and this one must not have a challenge.
      context.header('www-authenticate', undefined);
    }
  });
  const answer = async ({ req, env: { incoming, outgoing } }: Context<NodeEnv>): Promise<Response> => {
    const { answerBatch, answerMessage, isJsonContentType, ownServer, Sessions } = await import('../mcp');
    const isJson = req.method === 'POST' && isJsonContentType(req.header('content-type') ?? null);
    const readBody = async () => (isJson ? bodies.readJson(incoming) : undefined);
    const { key, body } = await authorise(req.header('authorization'), readBody, gate);
    currentWork.mark(PATHS.mcp, key.id);
    const caller: McpCaller = {
      key,
      isBehind: () => outgoing.writableNeedDrain,
      trace: readTraceContext(req.header('traceparent'), req.header('tracestate')),
      searches: sessionSearches.of(key.id, req.header('mcp-session-id')),
      maxPayment: readMaxPaymentHeader(req.header(HEADERS.maxPayment)),
      actionVersion: readActionVersion(req.header(HEADERS.actionVersion)),
      callerIds: readCallerIds(req.header(HEADERS.sessionId), req.header(HEADERS.userId)),
      credentials: CallerCredentials.read(req.header(HEADERS.connections)),
      connectionNames: readConnectionNames(req.header(HEADERS.connectionNames)),
    };
    sessions ??= new Sessions();
    const shared = { keyId: key.id, sessions, logger };
    const serve = async (message: unknown, request: Request) =>
      answerMessage(ownServer(new URL(req.url).searchParams, caller, own), { request, body: message, ...shared });
    return Array.isArray(body) ? answerBatch(body, req.raw, serve) : serve(body, req.raw);
  };
  app.post(PATHS.mcp, answer);
  // `answerMessage` refuses other methods and lists the allowed ones.
  app.all(PATHS.mcp, answer);

  for (const path of [PATHS.protectedResource, METADATA]) {
    app.use(path, anyOrigin);
    app.get(path, (context) => context.json(metadata(originHere(context), issuerHere(context))));
  }
  return app;
}

/** Authenticates the caller, reads the body, which may take long, and returns the current record of the key. */
async function authorise(
  authorization: string | undefined,
  readBody: () => Promise<unknown>,
  gate: AppDeps['gate'],
): Promise<{ key: CallingKey; body: unknown }> {
  try {
    const key = await gate.authenticateMcp(authorization);
    const body = await readBody();
    return { key: await gate.again(key), body };
  } catch (error) {
    gate.refused(error, authorization);
    throw error;
  }
}

/** Names no authorization server without an issuer: operators create agent keys, and no server issues tokens for this service. */
function metadata(origin: string, issuer: string | undefined): object {
  return {
    resource: origin + PATHS.mcp,
    ...(issuer !== undefined && { authorization_servers: [issuer], scopes_supported: [SCOPE] }),
    bearer_methods_supported: ['header'],
    resource_name: 'svc-sdk',
    resource_documentation: origin + PATHS.openapi,
  };
}

interface Challenge {
  metadataUrl: string;
  issuer: string | undefined;
  /** The reason why the request's token is refused. */
  refusal?: string;
}

/** The `WWW-Authenticate` header of a 401, by which clients begin a sign-in or refresh their token: RFC 6750 section 3, RFC 9728 section 5.1. */
function challenge({ metadataUrl, issuer, refusal }: Challenge): string {
  const parameters = {
    ...(refusal !== undefined && { error: 'invalid_token', error_description: errorDescription(refusal) }),
    resource_metadata: metadataUrl,
    ...(issuer !== undefined && { scope: SCOPE }),
  };
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${pairs.join(', ')}`;
}

/**
 * Turns a 401 for a wrong key into a 403 without a challenge. On a 401, MCP clients start an OAuth sign-in, which hides the real error: their user
 * must send another key.
 */
async function refusedKey(answer: Response): Promise<Response> {
  const problem = { ...((await answer.json()) as Problem), status: 403 };
  return Response.json(problem, { status: 403, headers: { 'content-type': 'application/problem+json' } });
}
