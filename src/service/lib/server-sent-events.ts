/** Server-sent events (WHATWG HTML, section 9.2): data is JSON, so it never holds a line break. */
import type { ServerResponse } from 'node:http';

export type EventName = 'progress' | 'result' | 'error';

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
}

export function sendEvent(response: ServerResponse, event: EventName, json: string): void {
  response.write(eventText(event, json));
}

export function eventText(event: EventName, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}
