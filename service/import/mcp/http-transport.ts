/**
 * An MCP server at an address, over streamable HTTP.
 *
 * Units:  bytes of one message; an event stream has many messages.
 * Source: Model Context Protocol 2025-11-25, basic/transports, "Streamable HTTP".
 */
import { type JSONRPCMessage, type JSONRPCRequest, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isUnsafeNumber, quoteNumbers } from '#sdk/protocol/number-digits';
import type { FixedCredential } from '../credential';
import { patientFetch } from '../patient-fetch';
import type { HttpConfig } from './config';
import { MAX_MESSAGE_BYTES } from './message-pipes';
import type { ServerAccess } from './server-access';
import { turns } from './turns';
import { CUT_OFF, UpstreamError } from './upstream-error';

const LINE_FEED = 0x0a;
/** Two or three of an event stream are a message. */
const LINES_PER_TURN = 16;
/** A server may never read the answers to its requests. */
const MAX_UNREAD_ANSWERS = 16;

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** Redirects are followed only within the origin, so headers with credentials stay there: the default of the SDK's transport. */
export class HttpTransport extends StreamableHTTPClientTransport {
  #unreadAnswers = 0;
  /** `WWW-Authenticate` of the last answer with status 401. */
  challenge: string | undefined;

  /** @param access also for all answers of the server: agents must not receive its credentials */
  constructor({ url, headers = {} }: HttpConfig, access: ServerAccess) {
    const { origin } = new URL(url);
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: async (address, init) => {
        const { credential } = access;
        const isOwn = credential !== undefined && new URL(address).origin === origin;
        const response = await (isOwn ? fetchWith(credential, address, init) : patientFetch(address, init));
        if (response.status === 401) this.challenge = response.headers.get('www-authenticate') ?? undefined;
        return bounded(response, access);
      },
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('id' in message)) return super.send(message, options);
    return 'method' in message ? this.#sendRequest(message, options) : this.#sendAnswer(message, options);
  }

  /** Answers a request whose stream ends without an answer: the client would wait forever. */
  #sendRequest(message: JSONRPCRequest, options?: SendOptions): Promise<void> {
    const error = { code: CUT_OFF, message: 'The MCP server closed the connection without an answer' };
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      this.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    };
    return super.send(message, { ...options, onRequestStreamEnd });
  }

  /** Limits the unread answers to a server that floods requests. */
  async #sendAnswer(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (this.#unreadAnswers >= MAX_UNREAD_ANSWERS) return;
    this.#unreadAnswers++;
    try {
      await super.send(message, options);
    } finally {
      this.#unreadAnswers--;
    }
  }
}

/** The platform's error for a header quotes its value. */
async function fetchWith({ in: place, name, value }: FixedCredential, address: string | URL, init?: RequestInit): Promise<Response> {
  const url = new URL(address);
  const headers = new Headers(init?.headers);
  if (place === 'query') url.searchParams.set(name, value);
  else if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new UpstreamError('UPSTREAM_UNREACHABLE', 'The connection has characters that a header cannot hold, such as a line end');
  else headers.set(name, value);
  return patientFetch(url, { ...init, headers });
}

function bounded(response: Response, access: ServerAccess): Response {
  if (!response.body) return response;
  const hasEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const messages = response.body.pipeThrough(boundedMessages(hasEvents));
  return new Response(messages.pipeThrough(handledLines(hasEvents, access)), response);
}

/** Numbers that lose digits become texts before the client parses the messages. No number spans two lines. */
function handledLines(hasEvents: boolean, access: ServerAccess): TransformStream<Uint8Array, Uint8Array> {
  let pieces: Uint8Array[] = [];
  const quoted = (line: string) => (hasEvents && !line.startsWith('data:') ? line : quoteNumbers(line, isUnsafeNumber));
  /** Backpressure: a server that floods waits for its socket. */
  const passOn = async (controller: TransformStreamDefaultController<Uint8Array>) => {
    const lines = Buffer.concat(pieces)
      .toString()
      .split(/(?<=\n)/);
    pieces = [];
    for (let from = 0; from < lines.length; from += LINES_PER_TURN) {
      await turns.next();
      const taken = lines.slice(from, from + LINES_PER_TURN);
      controller.enqueue(Buffer.from(access.redactor.result(taken.map(quoted).join(''))));
    }
  };
  return new TransformStream({
    async transform(chunk, controller) {
      const end = chunk.lastIndexOf(LINE_FEED) + 1;
      pieces.push(chunk.subarray(0, end));
      if (end > 0) await passOn(controller);
      pieces.push(chunk.subarray(end));
    },
    flush: passOn,
  });
}

function boundedMessages(hasEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes = hasEvents && endsEvent(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)) ? 0 : bytes + chunk.byteLength;
      if (bytes > MAX_MESSAGE_BYTES) controller.error(new RangeError(`A message has more than ${MAX_MESSAGE_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function endsEvent(chunk: Buffer): boolean {
  return chunk.includes('\n\n') || chunk.includes('\r\n\r\n');
}
