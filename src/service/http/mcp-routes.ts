/** `/mcp`, and what the authorization of MCP asks of a resource server: where its metadata is, and the metadata. docs/protocol.md section 9. */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Problem } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import { readTraceContext } from '../../protocol/trace-context';
import type { OwnFetchDeps } from '../mcp/own-fetch';
import type { Sessions } from '../mcp/sessions';
import type { AppDeps } from './app-deps';
import { originOf } from './origin-of';
import { readJson } from './read-body';

interface NodeEnv {
  Bindings: HttpBindings;
}

const METADATA = `${PATHS.protectedResource}${PATHS.mcp}`;

export function mcpRoutes(
  { gate, invoke, sessionSearches, limits, hosts, origins, logger }: AppDeps,
  dispatch: OwnFetchDeps['dispatch'],
): Hono<NodeEnv> {
  const app = new Hono<NodeEnv>();
  const own: OwnFetchDeps = { invoke, logger, dispatch, count: (key) => gate.count(key) };

  // Before anything else: no answer repeats a name that somebody bent to this service.
  for (const path of [PATHS.mcp, PATHS.protectedResource, METADATA]) {
    app.use(path, async ({ req }, next) => (await import('../mcp')).refuseHost(req.raw, hosts, origins) ?? next());
  }

  let sessions: Sessions | undefined;
  app.use(PATHS.mcp, async (context, next) => {
    await next();
    if (context.res.status !== 401) return;
    if (context.req.header('authorization') === undefined) context.header('www-authenticate', challenge(context));
    else {
      context.res = await refusedKey(context.res);
      // The former answer's headers are taken over.
      context.header('www-authenticate', undefined);
    }
  });
  const answer = async ({ req, env: { incoming, outgoing } }: Context<NodeEnv>): Promise<Response> => {
    const authorization = req.header('authorization');
    const key = await gate.authenticate(authorization).catch((error: unknown) => {
      gate.refused(error, authorization);
      throw error;
    });
    const { answerMessage, ownServer, Sessions } = await import('../mcp');
    const trace = readTraceContext(req.header('traceparent'), req.header('tracestate'));
    const searches = sessionSearches.of(key.id, req.header('mcp-session-id'));
    const caller = { key, isBehind: () => outgoing.writableNeedDrain, trace, searches };
    const server = ownServer(new URL(req.url).searchParams, caller, own);
    sessions ??= new Sessions();
    const readBody = () => readJson(incoming, limits.requestBodyBytes);
    return answerMessage(server, { request: req.raw, readBody, keyId: key.id, sessions, logger });
  };
  app.post(PATHS.mcp, answer);
  // Refused, with the methods that there are.
  app.all(PATHS.mcp, answer);

  for (const path of [PATHS.protectedResource, METADATA]) app.get(path, (context) => context.json(metadata(context)));
  return app;
}

/** Without `authorization_servers`: agent keys are made by whoever runs the service, and no server gives tokens for it. */
function metadata(context: Context): object {
  const origin = originOf(context);
  return {
    resource: origin + PATHS.mcp,
    bearer_methods_supported: ['header'],
    resource_name: 'svc-sdk',
    resource_documentation: origin + PATHS.openapi,
  };
}

/** Of a request without a key. */
function challenge(context: Context): string {
  return `Bearer resource_metadata="${originOf(context)}${METADATA}"`;
}

/**
 * 403 and no challenge: for a 401 clients begin a sign-in by OAuth, which fails with an error about that, and nobody is told that the key is wrong.
 */
async function refusedKey(answer: Response): Promise<Response> {
  const problem = { ...((await answer.json()) as Problem), status: 403 };
  return Response.json(problem, { status: 403, headers: { 'content-type': 'application/problem+json' } });
}
