/** A browser without a script: it keeps cookies, follows the redirects of the service, and submits forms. */
import { CookieJar } from '../cookie-jar';

export interface OpenedPage {
  status: number;
  url: string;
  html: string;
  /** The text of the page in one line. */
  text: string;
  headers: Headers;
  /** The address outside the service to which the browser was sent. */
  left?: URL;
}

export class PageBrowser {
  readonly jar: CookieJar;
  readonly origin: string;

  constructor(origin: string, cookie?: string) {
    this.origin = origin;
    this.jar = new CookieJar(origin);
    for (const pair of cookie?.split('; ') ?? []) this.jar.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  }

  async open(url: string, init: RequestInit = {}): Promise<OpenedPage> {
    let response = await this.jar.send(url, init);
    let at = new URL(url, this.origin);
    for (let step = 0; step < 10; step++) {
      const location = response.headers.get('location');
      if (location === null) break;
      const next = new URL(location, at);
      if (next.origin !== this.origin || next.pathname === '/sign-in') return { ...(await toPage(response, at)), left: next };
      at = next;
      response = await this.jar.get(at.href);
    }
    return toPage(response, at);
  }

  /** Submits the form of a toolkit on a page. */
  submit(page: OpenedPage, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<OpenedPage> {
    const toolkit = /name="toolkit" value="([^"]+)"/.exec(page.html)?.[1];
    if (toolkit === undefined) throw new Error(`The page has no form: ${page.text}`);
    return this.post(new URL(page.url).pathname, { toolkit, ...fields }, headers);
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<OpenedPage> {
    const sent = { origin: this.origin, ...headers };
    return this.open(path, { method: 'POST', body: new URLSearchParams(fields), headers: sent });
  }
}

async function toPage(response: Response, { href }: URL): Promise<OpenedPage> {
  const html = await response.text();
  const text = html
    .replace(/<style>[\s\S]*?<\/style>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { status: response.status, url: href, html, text, headers: response.headers };
}

/** The code that a page shows. */
export function codeOn({ text }: OpenedPage): string {
  const code = /\b[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error(`The page shows no code: ${text}`);
  return code;
}
