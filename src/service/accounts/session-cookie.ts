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
export function hasSessionCookie({ headers }: Request, publicUrl: string | undefined): boolean {
  const name = sessionCookieName(publicUrl);
  return (headers.get('cookie') ?? '').split(';').some((cookie) => cookie.trimStart().startsWith(`${name}=`));
}
