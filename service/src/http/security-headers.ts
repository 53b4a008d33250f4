/** The headers of each answer of every route. */

/** A year, as https://hstspreload.org requires. Subdomains may belong to other services. */
const HSTS = 'max-age=31536000';

/** @param publicUrl only a service that browsers reach by HTTPS may refuse HTTP */
export function securityHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': HSTS }),
  };
}
