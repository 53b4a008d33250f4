/** A whole response as the text that `node:http` would write: headers in the given order, then `Date` and the fate of the connection. */
import { STATUS_CODES } from 'node:http';

/** What `node:http` writes by itself for a request that it cannot parse, or that takes too long. */
export const BAD_REQUEST = rawResponse(400);
export const REQUEST_TIMEOUT = rawResponse(408);

let second = 0;
let date = '';

/** @param headers `connection: close` replaces `keepAliveLines` */
export function responseText(status: number, headers: Record<string, string>, body: string, keepAliveLines: string): string {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  const connection = headers.connection === 'close' ? '' : keepAliveLines;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${lines}Date: ${httpDate()}\r\n${connection}\r\n${body}`;
}

/** Made once a second. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
  }
  return date;
}

function rawResponse(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
}
