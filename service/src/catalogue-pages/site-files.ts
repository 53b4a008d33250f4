/** The files that search engines read of a public catalogue. Source: sitemaps.org protocol 0.9, RFC 9309. */
import { escapeHtml } from '../markdown/escape-html';
import type { Listing } from './listings';
import { PARTS, partPath, type ToolkitPart } from './toolkit-page';

/** The limit of the protocol is 50,000. */
const MAX_URLS = 40_000;

export function sitemap(listings: Iterable<Listing>, origin: string): string {
  const paths = [
    '/catalogue',
    ...[...listings].flatMap(({ toolkit }) => (Object.keys(PARTS) as ToolkitPart[]).map((part) => partPath(toolkit.id, part))),
  ];
  const urls = paths.slice(0, MAX_URLS).map((path) => `<url><loc>${escapeHtml(origin + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

export function robots(origin: string): string {
  return `User-agent: *
Allow: /catalogue
Allow: /icon.svg
Disallow: /

Sitemap: ${origin}/sitemap.xml
`;
}
