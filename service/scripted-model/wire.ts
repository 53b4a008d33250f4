/** A provider's API, reduced to the parts for tool calls. Each wire is a separate folder of this shape. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Conversation } from './conversation.ts';
import type { Speech } from './speech.ts';

export interface Wire {
  /** The path of the address, without the query. */
  path: RegExp;
  /** The form in which a key is sent, in words, and whether the request has one. */
  key: { hint: string; sent(headers: IncomingHttpHeaders): boolean };
  /** @throws RequestError */
  read(body: string, path: string): Asked;
  /** The body of an error, in the wire's shape. */
  error(error: RequestError): unknown;
}

export interface Asked {
  conversation: Conversation;
  /** A JSON body, or the text of server-sent events, one per element. */
  write(speech: Speech): { json: unknown } | { events: Iterable<string> };
}

export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, { param = null, code = null }: { param?: string | null; code?: string | null } = {}) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

/** @throws RequestError 400 */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new RequestError(400, 'The body is not JSON');
  }
}
