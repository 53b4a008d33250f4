/** The name of the session's cookie; with https the prefix makes browsers refuse it from other hosts, and from this one without https. */

const NAME = 'svc_session';

export function isSecure(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

export function cookieName(name: string, publicUrl: string | undefined): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name;
}

export function sessionCookieName(publicUrl: string | undefined): string {
  return cookieName(NAME, publicUrl);
}

/** Whether there is one at all, good or not: enough to know that the account library need not be loaded. */
export function hasSessionCookie(request: Request, publicUrl: string | undefined): boolean {
  return readCookie(request, sessionCookieName(publicUrl)) !== undefined;
}

export function readCookie({ headers }: Request, name: string): string | undefined {
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trimStart());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
