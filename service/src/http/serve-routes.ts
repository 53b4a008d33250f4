/** Serves declared routes on hono. Checks access, query, access again if a body was read, and body in this order, then runs the handler. */
import type { Context, Hono } from 'hono';
import { SvcError } from '#sdk/protocol/errors';
import { isAgentCredential } from '../keys/bearer';
import { currentWork } from '../lib/current-work';
import { parseOrThrow } from '../lib/parse';
import type { AnyRequest, Route } from './define-route';
import { jsonBody } from './json-body';
import type { RequestBodies } from './read-body';
import type { RequestEnv } from './request-env';

/** The key or principal of a request; neither for the access `anyone`. */
export type Admitted = Pick<AnyRequest, 'key' | 'principal'>;

export interface Gate<Deps> {
  /** Rejects for a caller without access to the route. */
  admit(context: Context<RequestEnv>, route: Route<Deps>): Promise<Admitted>;
  /** Runs after the body was read, which may take long. Returns the current record of the caller; rejects if it has lost access. */
  again(context: Context<RequestEnv>, admitted: Admitted, route: Route<Deps>): Admitted | Promise<Admitted>;
  /** Rejects a body that cannot be stored. The bodies of agents' routes, which `documentedBy` names, are not stored by these routes. */
  checkBody?(body: unknown): void;
}

export function serveRoutes<Deps extends { bodies: RequestBodies }>(
  app: Hono<RequestEnv>,
  routes: readonly Route<Deps>[],
  deps: Deps,
  gate: Gate<Deps>,
): void {
  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context, next) => {
      if (route.agentIds && !isOfAgent(context, route.agentIds)) return next();
      const receivedAt = performance.now();
      let admitted = await gate.admit(context, route);
      const params = context.req.param();
      const query = route.query && parseOrThrow(route.query, context.req.query(), 'query');
      let body: unknown;
      if (route.body && !isReadByHandler(route.body)) {
        const json = await jsonBody(context, deps.bodies, route.bodyBytes);
        admitted = await gate.again(context, admitted, route);
        body = parseBody(json, route, params);
        if (!('documentedBy' in route.body)) gate.checkBody?.(body);
      }
      currentWork.mark(route.path, (admitted.key ?? admitted.principal)?.id);
      const answer = await route.handle({ context, params, query, body, receivedAt, ...admitted }, deps);
      if (answer instanceof Response) return answer;
      return answer === undefined ? context.body(null, 204) : context.json(answer, route.status ?? 200);
    });
  }
}

function isOfAgent({ env, req }: Context<RequestEnv>, ids: RegExp): boolean {
  return ids.test(req.param('id') ?? '') && ('key' in env || isAgentCredential(req.header('authorization')));
}

function isReadByHandler(body: NonNullable<Route<never>['body']>): boolean {
  return 'documentedBy' in body && body.isReadByHandler === true;
}

function parseBody(json: unknown, { body, refusal }: Pick<Route<never>, 'body' | 'refusal'>, params: AnyRequest['params']): unknown {
  if (!body || 'documentedBy' in body) return json;
  if (!refusal) return parseOrThrow(body, json, 'body');
  const parsed = body.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new SvcError('INVALID_REQUEST', refusal(parsed.error.issues[0], params));
}
