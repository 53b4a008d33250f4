/**
 * Reads the JSON body of a request.
 *
 * Errors: REQUEST_TOO_LARGE above `maxBytes`, without reading the rest; INVALID_REQUEST for JSON that is invalid or nested too deep, and for an
 *         aborted request.
 */
import type { IncomingMessage } from 'node:http';
import { SvcError } from '../../protocol/errors';
import { requireFlatJson } from '../lib/json-depth';

export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  return parseJsonBody(await readText(request, maxBytes));
}

export function parseJsonBody(text: string): unknown {
  requireFlatJson(text, 'The body');
  try {
    return JSON.parse(text);
  } catch {
    throw new SvcError('INVALID_REQUEST', text === '' ? 'The request has no body; send JSON' : 'The body is not JSON');
  }
}

function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const tooLarge = () => reject(new SvcError('REQUEST_TOO_LARGE', `A request may have ${maxBytes} bytes`));
    if (Number(request.headers['content-length']) > maxBytes) return tooLarge();
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.pause();
        tooLarge();
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve((chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString()));
    request.on('error', () => reject(new SvcError('INVALID_REQUEST', 'The connection closed before the body was complete')));
  });
}
