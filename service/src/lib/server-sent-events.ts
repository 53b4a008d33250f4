/** Server-sent events (WHATWG HTML, section 9.2), each with JSON in one line. */
import type { ServerResponse } from 'node:http';

/** A proxy ends a connection that is silent for too long, often after 30 or 60 s. */
export const PING_MS = 20_000;

export type EventName = 'progress' | 'result' | 'error';

/** Sends a comment, which clients ignore, each 20 s until the response ends. */
export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  const ping = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': ping\n\n');
  }, PING_MS);
  response.once('close', () => clearInterval(ping));
}

export function sendEvent(response: ServerResponse, event: EventName, json: string): void {
  response.write(eventText(event, json));
}

export function eventText(event: EventName, json: string): string {
  return `event: ${event}\ndata: ${inOneLine(json)}\n\n`;
}

/**
 * A result is the toolkit's own JSON text. CR and LF occur only between its tokens, where a space is equivalent. U+0085, U+2028 and U+2029
 * occur only in strings, where an escape is equivalent; some clients split lines at these characters.
 */
function inOneLine(json: string): string {
  return json.replace(/[\r\n]/g, ' ').replace(/[\u0085\u2028\u2029]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
