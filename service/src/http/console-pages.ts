/**
 * Serves the console: one HTML page for every path that a browser opens, and the page's assets.
 *
 * The files contain no secrets and need no sign-in; the API does. The content security policy allows resources of this origin only, no inline
 * scripts, and no embedding in a frame.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { NONCE, type SecureHeadersVariables, secureHeaders } from 'hono/secure-headers';
import { SvcError } from '#sdk/protocol/errors';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import type { AppDeps } from './app-deps';
import { requireKnownHost } from './known-host';

interface Env {
  Variables: SecureHeadersVariables;
}

/** `new URL(path, import.meta.url)` would make bundlers look for a module at the path and fail. */
const HERE = dirname(fileURLToPath(import.meta.url));
/** Next to the built service; in `service/dist` when the service runs from source. */
const FOLDERS = ['console/', '../../dist/console/'].map((path) => join(HERE, path));
/** The one page that may connect to other addresses. It is opened, and left, with a new document. */
const PLAYGROUND = '/playground';
/** Placeholder in the built page for the nonce of each response. */
const NONCE_MARK = /__CSP_NONCE__/g;
/** Paths of the API and the assets. An unknown one is an error, not the console's page. */
const PROGRAMS_PATHS = /^\/(v1|mcp|connections\/(?:connect|callback|clients)|\.well-known|assets|oauth\/(?!authorize$).*)(\/|$)/;

/**
 * Apps open the consent page in their own window, which reports the answer to them when it is back at their address. The header of the other pages
 * would cut them off.
 */
const OPENED_BY_APPS: ReadonlySet<string> = new Set([OAUTH_PATHS.authorize, '/sign-in']);

export function consolePages(deps: Pick<AppDeps, 'hosts' | 'admin'>): Hono<Env> {
  const folder = FOLDERS.find((path) => existsSync(`${path}index.html`));
  const page = folder === undefined ? undefined : readFileSync(`${folder}index.html`, 'utf8');
  const app = new Hono<Env>();
  if (folder !== undefined) {
    app.use('/assets/*', async (context, next) => {
      await next();
      // The file names contain a hash of the content.
      if (context.res.ok) context.header('cache-control', 'public, max-age=31536000, immutable');
    });
    const files = serveStatic<Env>({ root: folder, precompressed: true });
    for (const path of ['/assets/*', '/icon.svg', '/catalogue.png']) app.get(path, headers, files);
    // Browsers request this path for responses without an icon, such as JSON.
    app.get('/favicon.ico', headers, serveStatic<Env>({ root: folder, path: 'icon.svg' }));
  }
  app.get('*', async (context, next) => {
    const { path } = context.req;
    // Some clients try the page before they open it in a browser.
    const isRead = path === OAUTH_PATHS.authorize || context.req.header('accept')?.includes('text/html');
    if (PROGRAMS_PATHS.test(path) || !isRead) return next();
    requireKnownHost(context.req.header('host'), deps);
    if (page === undefined)
      throw new SvcError('NOT_FOUND', 'The console is not built: run "npm run build", or start without it (--no-console)');
    const policy = path === PLAYGROUND ? playgroundHeaders : headers;
    await policy(context, async () => {
      context.header('cache-control', 'no-store');
      context.res = context.html(page.replace(NONCE_MARK, context.get('secureHeadersNonce') ?? ''));
    });
    if (OPENED_BY_APPS.has(path)) context.header('cross-origin-opener-policy', 'unsafe-none');
    return context.res;
  });
  return app;
}

const headers = headersWith(["'self'"]);
/** A person may enter the address of a model of their own, and the browser sends the conversation there without this service. docs/decisions/console.md. */
const playgroundHeaders = headersWith(["'self'", 'https:', 'http://localhost:*', 'http://127.0.0.1:*']);

function headersWith(connectSrc: string[]): MiddlewareHandler<Env> {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", NONCE],
      imgSrc: ["'self'", 'data:'],
      connectSrc,
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy: 'same-origin',
    // Each answer already has this header.
    strictTransportSecurity: false,
  });
}
