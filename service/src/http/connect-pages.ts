/**
 * The connect page, the addresses to which providers send browsers back, and the service's client ID metadata documents. docs/connections.md.
 *
 * A `GET` of the page changes nothing. The form claims the link for its browser, by a cookie.
 */
import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { SvcError } from '#sdk/protocol/errors';
import { isSameOrigin } from '../accounts/csrf';
import { cookieName, isSecure, readCookie } from '../accounts/session-cookie';
import { isConnected } from '../connections/call-connections';
import { clientDocument } from '../connections/connect/client-document';
import type { Connect } from '../connections/connect/connect';
import { CredentialFormError } from '../connections/connect/credential-form';
import type { Opener } from '../connections/connect/openers';
import { CONNECT_PATHS } from '../connections/connect/page-address';
import { STYLE_HASH } from '../connections/connect/page-style';
import { type HtmlPage, messagePage, openPage, refusalPage, toDocument, unknownReturnPage } from '../connections/connect/pages';
import { ProviderError } from '../connections/provider-error';
import { sha256Hex } from '../lib/sha256-hex';
import type { AppDeps } from './app-deps';
import { requireKnownHost } from './known-host';
import { signedInPerson } from './signed-in-person';

interface NodeEnv {
  Bindings: HttpBindings;
}

const COOKIE = 'svc-connect';
const COOKIE_VALUE = /^[A-Za-z0-9_-]{43}$/;
const COOKIE_SECONDS = 86_400;
const FORM_BYTES = 65_536;

export function connectPages(deps: AppDeps): Hono<NodeEnv> {
  const { admin, catalog, openConnections, bodies, logger } = deps;
  const publicUrl = admin?.publicUrl;
  const app = new Hono<NodeEnv>();

  const show = (context: Context<NodeEnv>, page: HtmlPage) => {
    const policy = ["default-src 'none'", `style-src ${STYLE_HASH}`, 'img-src data:', "base-uri 'none'", "frame-ancestors 'none'"];
    const forms = ["form-action 'self'", ...(page.leadsTo ?? [])].join(' ');
    context.header('content-security-policy', [...policy, forms].join('; '));
    context.header('x-frame-options', 'DENY');
    // Not "no-referrer": the form then has the origin "null". The address of the page leaves this service in neither case.
    context.header('referrer-policy', 'same-origin');
    context.header('cache-control', 'no-store');
    return context.html(toDocument(page), page.status);
  };
  const answered = (answer: (context: Context<NodeEnv>, connect: Connect) => Promise<Response>) => async (context: Context<NodeEnv>) => {
    requireKnownHost(context.req.header('host'), deps);
    try {
      return await answer(context, (await openConnections()).connect);
    } catch (error) {
      if (SvcError.is(error)) return show(context, messagePage(503, 'This page does not work now', error.message));
      throw error;
    }
  };
  const openerOf = async ({ req }: Context<NodeEnv>): Promise<Opener> => {
    const cookie = readCookie(req.raw, cookieName(COOKIE, publicUrl));
    return {
      browserHash: cookie !== undefined && COOKIE_VALUE.test(cookie) ? sha256Hex(cookie) : undefined,
      person: await personOf(req.raw, deps),
    };
  };
  const leave = (context: Context<NodeEnv>, url: string) => {
    context.header('cache-control', 'no-store');
    context.header('referrer-policy', 'no-referrer');
    return context.redirect(url, 303);
  };

  app.get(
    `${CONNECT_PATHS.connect}/:token`,
    answered(async (context, connect) => {
      const usual = usualAddress(context, connect);
      if (usual !== undefined) return leave(context, usual);
      const { path } = context.req;
      const state = await connect.page.state(context.req.param('token') ?? '', await openerOf(context));
      if (state.kind === 'sign in') return leave(context, signInUrl(path));
      return show(context, state.kind === 'open' ? openPage(state, { action: path }) : refusalPage(state, signInUrl(path)));
    }),
  );

  app.post(
    `${CONNECT_PATHS.connect}/:token`,
    answered(async (context, connect) => {
      const { req } = context;
      const { path } = req;
      if (!isSameOrigin(req.raw, publicUrl))
        return show(context, messagePage(403, 'This form came from another site', 'Open your link again.'));
      const form = await readForm(context, bodies);
      if (!form) return show(context, messagePage(400, 'This form is not understood', 'Open your link again, and fill in the form there.'));
      const token = req.param('token') ?? '';
      const opener = await openerOf(context);
      const state = await connect.page.state(token, opener);
      if (state.kind === 'sign in') return leave(context, signInUrl(path));
      if (state.kind !== 'open') return show(context, refusalPage(state, signInUrl(path)));
      const toolkit = catalog.toolkit(form.get('toolkit') ?? '');
      if (!isConnected(toolkit) || !state.link.toolkits.includes(toolkit.id))
        return show(context, refusalPage({ kind: 'gone' }, signInUrl(path)));
      try {
        const browserHash = opener.browserHash ?? sha256Hex(giveCookie(context, publicUrl));
        const start = { link: state.link, linkToken: token, toolkit, opener: { ...opener, browserHash }, form };
        const next = await connect.flows.start(start);
        admin?.records.changed('connections');
        if (next !== undefined) return leave(context, next);
        const now = await connect.page.state(token, { ...opener, browserHash });
        return show(context, refusalPage(now.kind === 'other browser' ? now : { kind: 'gone' }, signInUrl(path)));
      } catch (error) {
        if (!(error instanceof ProviderError || error instanceof CredentialFormError)) throw error;
        if (error instanceof ProviderError) logger.warn({ toolkit: toolkit.id, why: error.message }, 'cannot connect an account');
        return show(context, openPage(state, { action: path, problem: error.message, toolkit: toolkit.id }));
      }
    }),
  );

  app.get(
    `${CONNECT_PATHS.callback}/:toolkit`,
    answered(async (context, connect) => {
      const query = new URL(context.req.url).searchParams;
      const next = await connect.flows.finish(context.req.param('toolkit') ?? '', query, await openerOf(context));
      admin?.records.changed('connections');
      return next === undefined ? show(context, unknownReturnPage) : leave(context, next);
    }),
  );

  app.get(
    `${CONNECT_PATHS.clients}/:file`,
    answered(async (context, connect) => {
      const toolkit = catalog.toolkit(/^(.+)\.json$/.exec(context.req.param('file') ?? '')?.[1] ?? '');
      if (!isConnected(toolkit) || toolkit.auth.server === undefined)
        return show(context, messagePage(404, 'There is no such client', 'Only toolkits of remote MCP servers have a document here.'));
      context.header('cache-control', 'public, max-age=300');
      return context.json(clientDocument(toolkit, connect.address));
    }),
  );
  return app;
}

/** The same page by the name that the redirect addresses have: a cookie of "localhost" is not one of "127.0.0.1". */
function usualAddress({ req }: Context<NodeEnv>, { address }: Connect): string | undefined {
  const { pathname, search, host } = new URL(req.url);
  if (!address.isLoopback || address.url === undefined || new URL(address.url).host === host) return undefined;
  return `${address.url}${pathname}${search}`;
}

async function personOf(request: Request, deps: Pick<AppDeps, 'admin'>): Promise<Opener['person']> {
  const person = await signedInPerson(request, deps);
  return person && { id: person.id, name: person.name, role: person.role };
}

function giveCookie(context: Context<NodeEnv>, publicUrl: string | undefined): string {
  const value = randomBytes(32).toString('base64url');
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  context.header(
    'set-cookie',
    `${cookieName(COOKIE, publicUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${COOKIE_SECONDS}${secure}`,
  );
  return value;
}

function signInUrl(path: string): string {
  return `/sign-in?from=${encodeURIComponent(path)}`;
}

/** Undefined for a body that is not an HTML form's. */
async function readForm({ req, env }: Context<NodeEnv>, bodies: AppDeps['bodies']): Promise<URLSearchParams | undefined> {
  const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  return new URLSearchParams(await bodies.readText(env.incoming, FORM_BYTES));
}
