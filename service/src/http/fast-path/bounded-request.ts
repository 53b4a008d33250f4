/**
 * Finds the end of a request of any route, if its head determines it: no transfer coding, no upgrade, no `Expect`, at most one content length.
 * After such a request `node:http` can return the connection.
 *
 * Source: RFC 9112 section 6.3.
 */
import { CONTENT_LENGTH, FIELD_LINES, isKeepAlive } from './request-head';

const REQUEST_LINE = /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (?:https?:\/)?\/[\x21-\x7e]* HTTP\/1\.1\r\n/y;
/** Headers that change the framing of the message or the protocol of the connection. */
const REFUSED: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'te',
  'trailer',
  'expect',
  'upgrade',
  'http2-settings',
  'proxy-connection',
]);

/**
 * Returns the bytes of head and body; undefined for a request whose head does not determine its end.
 *
 * @param text the first bytes of a request as Latin-1, at most `MAX_HEAD_BYTES`
 */
export function boundedRequestBytes(text: string): number | undefined {
  REQUEST_LINE.lastIndex = 0;
  if (!REQUEST_LINE.test(text)) return undefined;
  const start = REQUEST_LINE.lastIndex;
  FIELD_LINES.lastIndex = start;
  if (!FIELD_LINES.test(text)) return undefined;
  const end = FIELD_LINES.lastIndex;
  let contentLength: number | undefined;
  for (const line of text.slice(start, end - 4).split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (REFUSED.has(name)) return undefined;
    const value = line.slice(colon + 1).trim();
    if (name === 'connection' && !isKeepAlive(value)) return undefined;
    if (name !== 'content-length') continue;
    if (contentLength !== undefined || !CONTENT_LENGTH.test(value)) return undefined;
    contentLength = Number(value);
  }
  return end + (contentLength ?? 0);
}
