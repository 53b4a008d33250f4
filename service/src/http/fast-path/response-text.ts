/** Writes a whole response as `node:http` does: headers in the given order, then `Date` and `Connection`. */
import { STATUS_CODES } from 'node:http';

export const CONNECTION_CLOSE = 'Connection: close\r\n';

/** The responses of `node:http` to a request that it cannot parse, or that takes too long. */
export const BAD_REQUEST = rawResponse(400);
export const REQUEST_TIMEOUT = rawResponse(408);
/** The answer to a request of which too many bytes are unfinished. */
export const SERVICE_UNAVAILABLE = rawResponse(503, 'Retry-After: 1\r\n');

let second = 0;
let date = '';

export interface PlainResponse {
  status: number;
  headerLines: string;
  /** A `connection` header is ignored: `connectionLines` contains it. */
  headers: Record<string, string>;
  connectionLines: string;
  body: string;
  /** Length of the body. */
  bytes: number;
}

export function responseText({ status, headerLines, headers, connectionLines, body, bytes }: PlainResponse): string {
  let lines = headerLines;
  for (const name in headers) if (name !== 'connection') lines += `${name}: ${headers[name]}\r\n`;
  lines += `content-length: ${bytes}\r\nDate: ${httpDate()}\r\n${connectionLines}`;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${lines}\r\n${body}`;
}

/** Formatted once a second. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
  }
  return date;
}

function rawResponse(status: number, lines = ''): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}${CONNECTION_CLOSE}\r\n`;
}
