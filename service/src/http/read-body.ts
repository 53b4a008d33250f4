/**
 * Reads the bodies of requests.
 *
 * Errors: REQUEST_TOO_LARGE above the maximum, without reading the rest; SERVICE_UNAVAILABLE if the node holds too many bytes of unfinished bodies;
 *         INVALID_REQUEST for JSON that is invalid or nested too deep, and for an aborted request.
 */
import type { IncomingMessage } from 'node:http';
import { SvcError } from '#sdk/protocol/errors';
import { parseExactJson } from '#sdk/protocol/exact-number';
import { requireFlatJson } from '#sdk/protocol/json-depth';
import type { Limits } from '#sdk/protocol/limits';
import { isUnsafeNumber } from '#sdk/protocol/number-digits';
import { UnfinishedMessages } from '../lib/unfinished-messages';

const RETRY_AFTER_MS = 1_000;

export class RequestBodies {
  readonly unfinished: UnfinishedMessages;
  readonly maxBytes: number;

  constructor({ requestBodyBytes, unfinishedBodyBytes }: Pick<Limits, 'requestBodyBytes' | 'unfinishedBodyBytes'>) {
    this.maxBytes = requestBodyBytes;
    this.unfinished = new UnfinishedMessages(unfinishedBodyBytes);
  }

  /** @param maxBytes default: the limit `requestBodyBytes` */
  async readJson(request: IncomingMessage, maxBytes: number = this.maxBytes): Promise<unknown> {
    return parseJsonBody(await this.readText(request, maxBytes));
  }

  readText(request: IncomingMessage, maxBytes: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const refuse = (error: SvcError) => {
        request.pause();
        // The chunks stay in memory as long as the request.
        chunks.length = 0;
        body.close();
        reject(error);
      };
      const body = this.unfinished.open(() => refuse(tooManyUnfinished()));
      const tooLarge = () => refuse(new SvcError('REQUEST_TOO_LARGE', `A request here may have ${maxBytes} bytes`));
      if (Number(request.headers['content-length']) > maxBytes) return tooLarge();
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) return tooLarge();
        chunks.push(chunk);
        body.add(chunk.length);
      });
      request.on('end', () => {
        body.close();
        resolve((chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString());
      });
      request.on('error', () => refuse(new SvcError('INVALID_REQUEST', 'The connection closed before the body was complete')));
    });
  }
}

function tooManyUnfinished(): SvcError {
  const message = 'Too many request bodies are unfinished at this moment: send the request again';
  return new SvcError('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
}

/** A number that payloads must not contain is an `ExactNumber`. */
export function parseJsonBody(text: string): unknown {
  requireFlatJson(text, 'The body');
  try {
    return parseExactJson(text, isUnsafeNumber);
  } catch {
    throw new SvcError('INVALID_REQUEST', text === '' ? 'The request has no body; send JSON' : 'The body is not JSON');
  }
}
