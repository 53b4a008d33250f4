/**
 * The console's files: its one page for every address that a browser opens, and what the page loads.
 *
 * Nothing in them is secret: who is not signed in gets them too, and no answer of the API. A page may load from here alone, run no script but
 * its files, and stand in nobody's frame.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { NONCE, type SecureHeadersVariables, secureHeaders } from 'hono/secure-headers';
import { SvcError } from '../../protocol/errors';

interface Env {
  Variables: SecureHeadersVariables;
}

/** Not `new URL(path, import.meta.url)`: bundlers look for a module there, and fail. */
const HERE = dirname(fileURLToPath(import.meta.url));
/** Beside the built service; when the service runs from its source, where the build would be. */
const FOLDERS = ['console/', '../../../dist/console/'].map((path) => join(HERE, path));
/** Stands in the built page where each answer has a nonce of its own. */
const NONCE_MARK = /__CSP_NONCE__/g;
/** What belongs to programs: an unknown address there is an error, and no page. */
const PROGRAMS_PATHS = /^\/(v1|mcp|\.well-known|assets)(\/|$)/;

export function consolePages(): Hono<Env> {
  const folder = FOLDERS.find((path) => existsSync(`${path}index.html`));
  const page = folder === undefined ? undefined : readFileSync(`${folder}index.html`, 'utf8');
  const app = new Hono<Env>();
  if (folder !== undefined) {
    app.use('/assets/*', async (context, next) => {
      await next();
      // Their names hold a hash of what is in them.
      if (context.res.ok) context.header('cache-control', 'public, max-age=31536000, immutable');
    });
    const files = serveStatic<Env>({ root: folder, precompressed: true });
    for (const path of ['/assets/*', '/icon.svg']) app.get(path, headers, files);
    // Browsers ask for it where no page names an icon, such as beside JSON.
    app.get('/favicon.ico', headers, serveStatic<Env>({ root: folder, path: 'icon.svg' }));
  }
  app.get('*', async (context, next) => {
    const { path } = context.req;
    if (PROGRAMS_PATHS.test(path) || !context.req.header('accept')?.includes('text/html')) return next();
    if (page === undefined)
      throw new SvcError('NOT_FOUND', 'The console is not built: run "npm run build", or start without it (--no-console)');
    return headers(context, async () => {
      context.header('cache-control', 'no-store');
      context.res = context.html(page.replace(NONCE_MARK, context.get('secureHeadersNonce') ?? ''));
    });
  });
  return app;
}

const headers: MiddlewareHandler<Env> = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", NONCE],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  referrerPolicy: 'same-origin',
  // Whoever ends TLS decides on this.
  strictTransportSecurity: false,
});
