/** Serves declared routes on hono. Checks access, query and body in this order, then runs the handler. */
import type { Context, Hono } from 'hono';
import type * as z from 'zod';
import { SvcError } from '../../protocol/errors';
import type { Limits } from '../../protocol/limits';
import { parseOrThrow } from '../lib/parse';
import type { AnyRequest, Route } from './define-route';
import { jsonBody } from './json-body';
import type { RequestEnv } from './request-env';

/** The key or principal of a request; neither for the access `anyone`. */
export type Admitted = Pick<AnyRequest, 'key' | 'principal'>;

export interface Gate<Deps> {
  /** Rejects for a caller without access to the route. */
  admit(context: Context<RequestEnv>, route: Route<Deps>): Promise<Admitted>;
  /** Runs after the body was read, which may take long. Rejects when the caller has lost access, or when the body cannot be stored. */
  bodyRead?(context: Context<RequestEnv>, admitted: Admitted, body: unknown): Promise<void>;
}

export function serveRoutes<Deps extends { limits: Limits }>(
  app: Hono<RequestEnv>,
  routes: readonly Route<Deps>[],
  deps: Deps,
  { admit, bodyRead }: Gate<Deps>,
): void {
  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const receivedAt = performance.now();
      const admitted = await admit(context, route);
      const params = context.req.param();
      const query = route.query && parseOrThrow(route.query, context.req.query(), 'query');
      let body: unknown;
      if (route.body && !('documentedBy' in route.body)) {
        body = parseBody(route.body, await jsonBody(context, deps.limits), route, params);
        await bodyRead?.(context, admitted, body);
      }
      const answer = await route.handle({ context, params, query, body, receivedAt, ...admitted }, deps);
      if (answer instanceof Response) return answer;
      return answer === undefined ? context.body(null, 204) : context.json(answer, route.status ?? 200);
    });
  }
}

function parseBody<T>(schema: z.ZodType<T>, body: unknown, { refusal }: Pick<Route<never>, 'refusal'>, params: AnyRequest['params']): T {
  if (!refusal) return parseOrThrow(schema, body, 'body');
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new SvcError('INVALID_REQUEST', refusal(parsed.error.issues[0], params));
}
