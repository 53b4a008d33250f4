/** The frame of every page of the catalogue: HTML without a script. Texts of toolkits are escaped. */
import { html, raw } from 'hono/html';
import { CATALOGUE_STYLE } from './page-style';

export type Html = ReturnType<typeof html>;

/** The reader of a page, and its address. */
export interface Visit {
  /** The origin of the service, as the reader calls it. */
  origin: string;
  /** True for a stranger in a public catalogue. */
  isStranger: boolean;
  /** Whether search engines may read the catalogue. */
  isPublic: boolean;
}

export interface CataloguePage {
  status: 200 | 403 | 404 | 429 | 503;
  title: string;
  description: string;
  /** The path of the page without what only filters it. Undefined: search engines must not list the page. */
  canonical: string | undefined;
  /** Path of a picture for link previews. */
  picture: string;
  body: Html;
}

export const PICTURE = '/catalogue.png';

export function toCatalogueDocument({ title, description, canonical, picture, body }: CataloguePage, visit: Visit): string {
  const { origin, isStranger, isPublic } = visit;
  const address = canonical === undefined ? undefined : origin + canonical;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="robots" content="${isPublic && address !== undefined ? 'index, follow' : 'noindex'}">
${address === undefined ? '' : html`<link rel="canonical" href="${address}"><meta property="og:url" content="${address}">`}
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${origin}${picture}">
<meta name="twitter:card" content="${picture === PICTURE ? 'summary_large_image' : 'summary'}">
<link rel="icon" href="/icon.svg">
<style>${raw(CATALOGUE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site"><a class="brand" href="/catalogue">Tools for agents</a>
<nav aria-label="Site"><a href="/catalogue">Catalogue</a>${isStranger ? html`<a href="/sign-in?from=/catalogue">Sign in</a>` : html`<a href="/">Console</a>`}</nav></header>
<main id="content">${body}</main>
<footer class="site">Numbers are of the last 30 days and leave out calls that people made in the console.</footer>
</body>
</html>`;
  return String(document);
}

/** A page with one message. */
export function catalogueMessage(status: CataloguePage['status'], title: string, text: string): CataloguePage {
  const body = html`<h1>${title}</h1><p class="lead">${text}</p><p><a href="/catalogue">All toolkits</a></p>`;
  return { status, title, description: text, canonical: undefined, picture: PICTURE, body };
}

/** The only text that strangers get of a catalogue for members: link previews show it. */
export function signInPage(from: string): CataloguePage {
  const body = html`<h1>Sign in</h1><p class="lead">This catalogue is for members.</p>
<p><a class="button" href="/sign-in?from=${encodeURIComponent(from)}">Sign in</a></p>`;
  return { status: 200, title: 'Sign in', description: 'This catalogue is for members.', canonical: undefined, picture: PICTURE, body };
}
