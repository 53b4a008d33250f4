/** The headers of each answer, whatever route gives it. */

/** A year, as https://hstspreload.org asks. Subdomains belong to others. */
const HSTS = 'max-age=31536000';

/** @param publicUrl only a service that browsers reach by HTTPS may refuse HTTP */
export function securityHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': HSTS }),
  };
}
