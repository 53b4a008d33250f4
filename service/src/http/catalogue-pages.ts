/**
 * The pages of the catalogue, below `/catalogue`, and for a public one the files of search engines. docs/catalogue.md.
 *
 * Strangers read a public catalogue; else they get the sign-in, before anything is looked up.
 */
import { hash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { SvcError } from '#sdk/protocol/errors';
import { isToolkitId } from '#sdk/protocol/ids';
import type { Principal } from '../accounts/principal';
import type { CataloguePage, CatalogueReader, Visit } from '../catalogue-pages';
import { visibleTo } from './admin/visibility';
import type { AdminDeps, AppDeps } from './app-deps';
import { clientRequest } from './client-request';
import { requireKnownHost } from './known-host';
import { originOf } from './origin-of';
import { signedInPerson } from './signed-in-person';
import { StrangerLimit } from './stranger-limit';

interface NodeEnv {
  Bindings: HttpBindings;
}

/** A search that strangers see was sent by as many agent keys: a text of fewer may be private to the users of one. */
const PUBLIC_WANTED_KEYS = 3;
const ETAG_CHARS = 22;
const CACHED_BY_ALL = 'public, max-age=60';

export function cataloguePages(deps: AppDeps, admin: AdminDeps): Hono<NodeEnv> {
  const app = new Hono<NodeEnv>();
  const isPublic = admin.catalogue === 'public';
  const limit = new StrangerLimit();
  const loadPages = () => import('../catalogue-pages');
  let opened: Promise<CatalogueReader> | undefined;
  const open = () => {
    opened ??= loadPages().then(({ CatalogueReader }) => {
      const { catalog, online, keys, store } = deps;
      return new CatalogueReader({ catalog, online, keys, store, search: (query, options) => deps.ranking.search(query, options) });
    });
    return opened;
  };
  const visitOf = (context: Context<NodeEnv>, person: Principal | undefined): Visit => {
    return { origin: originOf(context, admin.publicUrl), isStranger: person === undefined, isPublic };
  };
  const show = async (context: Context<NodeEnv>, page: CataloguePage, visit: Visit) => {
    const { CATALOGUE_STYLE_HASH, toCatalogueDocument } = await loadPages();
    const policy = ["default-src 'none'", `style-src ${CATALOGUE_STYLE_HASH}`, "img-src 'self'", "base-uri 'none'", "form-action 'self'"];
    context.header('content-security-policy', [...policy, "frame-ancestors 'none'"].join('; '));
    context.header('x-frame-options', 'DENY');
    context.header('referrer-policy', 'strict-origin-when-cross-origin');
    const isCached = visit.isStranger && isPublic && page.status === 200;
    return cached(context, toCatalogueDocument(page, visit), { isCached, status: page.status, type: 'text/html; charset=UTF-8' });
  };
  /** Answers people, and strangers of a public catalogue. Others are led to the sign-in. */
  const forReaders =
    (answer: (context: Context<NodeEnv>, person: Principal | undefined) => Promise<Response>) => async (context: Context<NodeEnv>) => {
      const { req } = context;
      requireKnownHost(req.header('host'), deps);
      context.header('vary', 'Cookie');
      const person = await signedInPerson(req.raw, deps);
      const visit = visitOf(context, person);
      try {
        if (!person) limit.consume(admin.accounts.addressOf(clientRequest(context)));
        if (!person && !isPublic) return await leadToSignIn(context, visit);
        return await answer(context, person);
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        const { catalogueMessage } = await loadPages();
        if (error.retryAfterMs !== undefined) context.header('retry-after', String(Math.ceil(error.retryAfterMs / 1_000)));
        const isBusy = error.code === 'RATE_LIMITED';
        return show(
          context,
          catalogueMessage(isBusy ? 429 : 503, isBusy ? 'Too many requests' : 'This page does not work now', error.message),
          visit,
        );
      }
    };
  const leadToSignIn = async (context: Context<NodeEnv>, visit: Visit) => {
    const { pathname, search } = new URL(context.req.url);
    const from = pathname + search;
    context.header('cache-control', 'no-store');
    if (context.req.header('accept')?.includes('text/html')) return context.redirect(`/sign-in?from=${encodeURIComponent(from)}`, 303);
    const { signInPage } = await loadPages();
    return show(context, signInPage(from), visit);
  };
  const unknown = async (context: Context<NodeEnv>, visit: Visit) => {
    const { catalogueMessage } = await loadPages();
    return show(context, catalogueMessage(404, 'No such page', 'The catalogue has no toolkit or page with this address.'), visit);
  };
  const toolkitPart = forReaders(async (context, person) => {
    const visit = visitOf(context, person);
    const { id = '', part = 'about' } = context.req.param();
    const { isPart } = await loadPages();
    const page = isToolkitId(id) && isPart(part) ? await (await open()).toolkit(id, part, visit) : undefined;
    return page ? show(context, page, visit) : unknown(context, visit);
  });

  app.use('/catalogue/*', compress());
  app.get(
    '/catalogue',
    forReaders(async (context, person) => {
      const search = new URL(context.req.url).searchParams;
      return show(context, await (await open()).list(search, await wantedFor(person)), visitOf(context, person));
    }),
  );
  app.get('/catalogue/:id', toolkitPart);
  app.get(
    '/catalogue/:id/icon',
    forReaders(async (context, person) => {
      const { id = '' } = context.req.param();
      const icon = isToolkitId(id) ? await (await open()).icon(id) : undefined;
      if (!icon) return unknown(context, visitOf(context, person));
      context.header('content-security-policy', "default-src 'none'; sandbox");
      return cached(context, icon.bytes, { isCached: !person, status: 200, type: icon.type });
    }),
  );
  app.get('/catalogue/:id/:part', toolkitPart);
  if (!isPublic) return app;

  app.get(
    '/sitemap.xml',
    forReaders(async (context) => {
      const sitemap = await (await open()).sitemap(originOf(context, admin.publicUrl));
      return cached(context, sitemap, { isCached: true, status: 200, type: 'application/xml; charset=UTF-8' });
    }),
  );
  app.get(
    '/robots.txt',
    forReaders(async (context) => {
      const robots = (await open()).robots(originOf(context, admin.publicUrl));
      return cached(context, robots, { isCached: true, status: 200, type: 'text/plain; charset=UTF-8' });
    }),
  );
  app.get('/', async (context, next) => {
    const accept = context.req.header('accept') ?? '*/*';
    // Link previews accept anything.
    if (!/text\/html|\*\/\*/.test(accept) || (await signedInPerson(context.req.raw, deps))) return next();
    requireKnownHost(context.req.header('host'), deps);
    context.header('vary', 'Cookie, Accept');
    context.header('cache-control', 'no-store');
    return context.redirect('/catalogue', 302);
  });
  return app;

  async function wantedFor(person: Principal | undefined) {
    const { searchTexts, wantedTexts } = admin.records.settings;
    if (searchTexts === 'off') return undefined;
    if (!person) return wantedTexts === 'public' ? { keys: PUBLIC_WANTED_KEYS, own: [] } : undefined;
    return { keys: 1, own: (await visibleTo(person, deps.keys))?.agentKeyIds };
  }
}

interface Cached {
  /** Whether caches between the service and the reader may keep it. */
  isCached: boolean;
  status: CataloguePage['status'];
  type: string;
}

/** The answer, or 304 to a reader that has the same one. */
function cached(context: Context<NodeEnv>, body: string | Buffer<ArrayBuffer>, { isCached, status, type }: Cached): Response {
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, ETAG_CHARS)}"`;
  context.header('cache-control', isCached ? CACHED_BY_ALL : 'private, no-cache');
  context.header('etag', etag);
  const known = context.req
    .header('if-none-match')
    ?.split(',')
    .map((one) => one.trim());
  if (status === 200 && known?.includes(etag)) return context.body(null, 304);
  return context.body(body, status, { 'content-type': type });
}
