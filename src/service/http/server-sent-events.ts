/** Server-sent events (WHATWG HTML, section 9.2): data is JSON, so it never holds a line break. */
import type { ServerResponse } from 'node:http';

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
}

export function sendEvent(response: ServerResponse, event: 'progress' | 'result' | 'error', json: string): void {
  response.write(`event: ${event}\ndata: ${json}\n\n`);
}
