/**
 * The endpoints of the authorization server for clients: metadata, registration, tokens, revocation. docs/protocol.md section 9. They are public and
 * read no cookie, so any page may call them: browsers run MCP clients too.
 */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { SvcError } from '#sdk/protocol/errors';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { errorDescription } from '../oauth/error-description';
import { issuerOf } from '../oauth/issuer';
import { serverMetadata } from '../oauth/metadata';
import { OAuthError } from '../oauth/oauth-error';
import { anyOrigin } from './any-origin';
import type { AdminDeps, AppDeps } from './app-deps';
import type { DocumentedRoute } from './define-route';
import { requireKnownHost } from './known-host';
import { originOf } from './origin-of';
import { ownOrigins } from './own-origins';

interface NodeEnv {
  Bindings: HttpBindings;
}

const BODY_BYTES = 16_384;

/** Served by `authorizationServerRoutes`. The RFCs describe the bodies. */
export const oauthDeclarations: readonly DocumentedRoute[] = [
  {
    id: 'getAuthorizationServerMetadata',
    summary: 'Metadata of the authorization server, RFC 8414',
    method: 'GET',
    path: OAUTH_PATHS.authorizationServer,
    access: 'anyone',
    answer: z.unknown(),
  },
  {
    id: 'getOpenIdConfiguration',
    summary: 'The same metadata, for clients that look for this name',
    method: 'GET',
    path: OAUTH_PATHS.openIdConfiguration,
    access: 'anyone',
    answer: z.unknown(),
  },
  {
    id: 'registerOAuthClient',
    summary: 'Register an OAuth client, RFC 7591',
    method: 'POST',
    path: OAUTH_PATHS.registerClient,
    access: 'anyone',
    body: { documentedBy: z.unknown() },
    answer: z.unknown(),
    status: 201,
  },
  {
    id: 'exchangeOAuthToken',
    summary: 'Exchange a code or a refresh token, RFC 6749',
    method: 'POST',
    path: OAUTH_PATHS.oauthToken,
    access: 'anyone',
    form: true,
    answer: z.unknown(),
  },
  {
    id: 'revokeOAuthToken',
    summary: 'End the sign-in of a token, RFC 7009',
    method: 'POST',
    path: OAUTH_PATHS.revokeToken,
    access: 'anyone',
    form: true,
    answer: z.unknown(),
  },
];

export function authorizationServerRoutes(deps: AppDeps, { openOAuth, publicUrl }: AdminDeps): Hono<NodeEnv> {
  const { bodies, hosts } = deps;
  const app = new Hono<NodeEnv>();
  const knownHost: MiddlewareHandler<NodeEnv> = (context, next) => {
    requireKnownHost(context.req.header('host'), deps);
    return next();
  };
  for (const path of [
    OAUTH_PATHS.authorizationServer,
    OAUTH_PATHS.openIdConfiguration,
    OAUTH_PATHS.registerClient,
    OAUTH_PATHS.oauthToken,
    OAUTH_PATHS.revokeToken,
  ])
    app.use(path, knownHost, anyOrigin, notStored);

  for (const path of [OAUTH_PATHS.authorizationServer, OAUTH_PATHS.openIdConfiguration]) {
    app.get(path, (context, next) => {
      const issuer = issuerOf(originOf(context), publicUrl);
      return issuer === undefined ? next() : context.json(serverMetadata(issuer));
    });
  }
  app.post(OAUTH_PATHS.registerClient, (context) =>
    answered(context, async () => {
      const body = await bodies.readJson(context.env.incoming, BODY_BYTES).catch(notMetadata);
      return context.json((await openOAuth()).register(body), 201);
    }),
  );
  app.post(OAUTH_PATHS.oauthToken, (context) =>
    answered(context, async () => {
      const request = await readForm(context, bodies);
      const { tokens } = await openOAuth();
      return context.json(await tokens.exchange(request, ownOrigins(context, { hosts, publicUrl })));
    }),
  );
  app.post(OAUTH_PATHS.revokeToken, (context) =>
    answered(context, async () => {
      const request = await readForm(context, bodies);
      const { tokens } = await openOAuth();
      await tokens.revoke(request);
      return context.body(null, 200);
    }),
  );
  return app;
}

const notStored: MiddlewareHandler<NodeEnv> = async ({ header }, next) => {
  header('cache-control', 'no-store');
  return next();
};

/** An error of OAuth as RFC 6749 section 5.2 has it; others become problem documents. */
async function answered(context: Context<NodeEnv>, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const byHeader = context.req.header('authorization') !== undefined;
    if (error.code === 'invalid_client' && byHeader) context.header('www-authenticate', 'Basic realm="svc-sdk"');
    return context.json(
      { error: error.code, error_description: errorDescription(error.message) },
      error.code === 'invalid_client' ? 401 : 400,
    );
  }
}

function notMetadata(error: unknown): never {
  if (!SvcError.is(error) || error.code !== 'INVALID_REQUEST') throw error;
  throw new OAuthError('invalid_client_metadata', error.message);
}

async function readForm({ req, env }: Context<NodeEnv>, bodies: AppDeps['bodies']) {
  const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded');
  return { form: new URLSearchParams(await bodies.readText(env.incoming, BODY_BYTES)), authorization: req.header('authorization') };
}
