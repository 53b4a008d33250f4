/**
 * The addresses to which a client may have codes sent: https; http of this machine, on any port (RFC 8252 section 7.3); private schemes of apps
 * (section 7.1).
 */
import { LOOPBACK_HOSTS } from './issuer';
import { OAuthError } from './oauth-error';

/** Schemes that a browser or an operating system handles itself, so no app receives the code. */
const NOT_OF_AN_APP = new Set([
  ...['about:', 'blob:', 'chrome:', 'data:', 'file:', 'filesystem:', 'ftp:', 'http:', 'intent:', 'javascript:'],
  ...['mailto:', 'search-ms:', 'sms:', 'tel:', 'vbscript:', 'view-source:', 'ws:', 'wss:'],
]);
/** Visible ASCII without the characters that browsers change in an address. */
const PLAIN = /^[\x21-\x7e]+$/;
const CHANGED_BY_BROWSERS = /["<>\\^`{|}#]/;

/** @throws OAuthError invalid_redirect_uri */
export function requireRedirectUri(text: string): void {
  const problem = problemOf(text);
  if (problem !== undefined)
    throw new OAuthError('invalid_redirect_uri', `The redirect URI ${JSON.stringify(text.slice(0, 200))} ${problem}`);
}

function problemOf(text: string): string | undefined {
  if (!PLAIN.test(text) || CHANGED_BY_BROWSERS.test(text)) return 'has a fragment or characters that a URI cannot have';
  const url = URL.parse(text);
  if (!url) return 'is not an absolute URI';
  if (url.username || url.password) return 'has credentials: leave them out';
  // Other spellings of an address must not pass for it, nor be compared with it.
  if (url.href !== text && url.href !== `${text}/`) return `has another usual form: write ${url.href}`;
  if (url.protocol === 'https:' || isLoopback(url)) return undefined;
  if (NOT_OF_AN_APP.has(url.protocol) || url.protocol.startsWith('ms-'))
    return 'must be https, http of this machine (127.0.0.1, [::1], localhost), or a private scheme of an app';
  return undefined;
}

/** True if a client that registered `registered` may use `asked`: the same text, or, on this machine, the same one with another port. */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [left, right] = [URL.parse(registered), URL.parse(asked)];
  if (!left || !right || !isLoopback(left) || !isLoopback(right)) return false;
  return withoutPort(registered) === withoutPort(asked);
}

/** The redirect of an app on this machine without its port, which may differ at each start; any other as it is. */
export function withoutPort(text: string): string {
  const url = URL.parse(text);
  return url && isLoopback(url) ? text.replace(/^(http:\/\/[^/?]*?)(?::\d*)?(?=[/?]|$)/, '$1') : text;
}

/** Whom a person sends the code to: a host, `localhost` for an app on this computer, or `cursor:` for a private scheme. */
export function recipientOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  if (isLoopback(url)) return 'localhost';
  return url.protocol === 'https:' ? url.host : url.protocol;
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname);
}
