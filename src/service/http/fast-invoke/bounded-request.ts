/**
 * Where a request of any route ends, if its head says so plainly: no transfer coding, no upgrade, no `Expect`, one content length at most. Behind such a
 * request `node:http` can give the connection back.
 *
 * Source: RFC 9112 section 6.3.
 */
import { CONTENT_LENGTH, FIELD_LINES, isKeepAlive } from './request-head';

const REQUEST_LINE = /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/[\x21-\x7e]* HTTP\/1\.1\r\n/y;
/** They change how a message is framed, or who speaks on the connection next. */
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
 * Bytes of the head and its body; undefined for a request that does not say so plainly.
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
