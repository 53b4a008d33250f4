/**
 * Protection against cross-site request forgery (CSRF): browsers send the session cookie also with requests that another site causes.
 *
 * Origin: that of the public URL; without one, the host of the request, by http or https, since a proxy may end TLS.
 * Source: OWASP's Cross-Site Request Forgery Prevention Cheat Sheet; Fetch Standard, "Origin"; Fetch Metadata, "Sec-Fetch-Site".
 */
import { SvcError } from '#sdk/protocol/errors';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The service's origin for the browser of this request. Forwarding headers are ignored: any client can write them. */
export function serviceOrigin({ headers, url }: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const host = headers.get('host') ?? new URL(url).host;
  const secure = `https://${host}`;
  return headers.get('origin') === secure ? secure : `http://${host}`;
}

/** Whether a request may change something: its method is not one of the safe ones (RFC 9110, section 9.2.1). */
export function isUnsafe({ method }: Pick<Request, 'method'>): boolean {
  return !SAFE_METHODS.has(method);
}

/** True for a request that a page of this service sent, by a form or by a script. */
export function isSameOrigin(request: Request, publicUrl: string | undefined): boolean {
  const origin = request.headers.get('origin');
  return origin === null ? request.headers.get('sec-fetch-site') === 'same-origin' : origin === serviceOrigin(request, publicUrl);
}

/** @throws SvcError NOT_PERMITTED for a change that another site may have caused, or that an HTML form can send */
export function requireSameOrigin(request: Request, publicUrl: string | undefined): void {
  if (!isUnsafe(request)) return;
  if (!isSameOrigin(request, publicUrl)) throw new SvcError('NOT_PERMITTED', refusal(request.headers.get('origin'), publicUrl));
  if (hasBody(request) && !isJson(request))
    throw new SvcError('NOT_PERMITTED', 'The body must be JSON: send the header "Content-Type: application/json"');
}

function refusal(origin: string | null, publicUrl: string | undefined): string {
  if (origin === null) return 'A change with a session needs the header Origin, which browsers send';
  const cure = publicUrl === undefined ? 'behind a proxy, start the service with --public-url' : `the service is at ${publicUrl}`;
  return `The origin of this request is not the service's: ${cure}`;
}

function hasBody({ headers }: Request): boolean {
  return headers.has('transfer-encoding') || headers.has('content-type') || Number(headers.get('content-length') ?? 0) > 0;
}

function isJson({ headers }: Request): boolean {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}
