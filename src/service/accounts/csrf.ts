/**
 * Whether a request comes from the service's own pages: browsers send cookies along with what other sites make them send too.
 *
 * Own:    the origin of the public URL; without one the host that the request was sent to, by http or by https, since a proxy may be in between.
 * Source: OWASP's Cross-Site Request Forgery Prevention Cheat Sheet; Fetch Standard, "Origin"; Fetch Metadata, "Sec-Fetch-Site".
 */
import { SvcError } from '../../protocol/errors';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The address at which the browser of this request sees the service. Anybody can write other proxy headers, so they are ignored. */
export function ownOrigin({ headers, url }: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const host = headers.get('host') ?? new URL(url).host;
  const secure = `https://${host}`;
  return headers.get('origin') === secure ? secure : `http://${host}`;
}

/** Whether a request may change something: its method is not one of the safe ones (RFC 9110, section 9.2.1). */
export function isUnsafe({ method }: Pick<Request, 'method'>): boolean {
  return !SAFE_METHODS.has(method);
}

/** @throws SvcError NOT_PERMITTED for a change that another site may have asked for, or that a form could send */
export function requireOwnPage(request: Request, publicUrl: string | undefined): void {
  if (!isUnsafe(request)) return;
  const origin = request.headers.get('origin');
  const isOwn = origin === null ? request.headers.get('sec-fetch-site') === 'same-origin' : origin === ownOrigin(request, publicUrl);
  if (!isOwn) throw new SvcError('NOT_PERMITTED', foreign(origin, publicUrl));
  if (hasBody(request) && !isJson(request))
    throw new SvcError('NOT_PERMITTED', 'The body must be JSON: send the header "Content-Type: application/json"');
}

function foreign(origin: string | null, publicUrl: string | undefined): string {
  if (origin === null) return 'A change with a session must say which page it comes from: send the header Origin, as browsers do';
  const cure = publicUrl === undefined ? 'behind a proxy, start the service with --public-url' : `the service is at ${publicUrl}`;
  return `The page that sends this is not of this service: ${cure}`;
}

function hasBody({ headers }: Request): boolean {
  return headers.has('transfer-encoding') || headers.has('content-type') || Number(headers.get('content-length') ?? 0) > 0;
}

function isJson({ headers }: Request): boolean {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}
