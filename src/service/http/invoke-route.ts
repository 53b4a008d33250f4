/**
 * `POST /v1/invoke`: the one hot route, so there is no router and no web stream. Plain calls come from their sockets (fast-invoke/), all others from
 * `node:http`; both get the same answers. docs/protocol.md section 5.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SvcError } from '../../protocol/errors';
import { HEADERS, MIN_RESULT_CHARS } from '../../protocol/http';
import type { Limits } from '../../protocol/limits';
import { readTraceContext } from '../../protocol/trace-context';
import type { Invoke } from '../calls/calls';
import type { CallingKey } from '../keys/agent-tokens';
import type { Logger } from '../lib/logger';
import { type ProblemAnswer, problemAnswer, toSvcError } from '../lib/problem';
import { sendEvent, startEvents } from '../lib/server-sent-events';
import type { AgentGate, LastKey } from './agent-gate';
import type { PlainCall, PlainCallHandler } from './fast-invoke/plain-call';
import type { RequestHead } from './fast-invoke/request-head';
import { parseJsonBody, readJson } from './read-body';
import { readSearchId } from './read-search-id';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Who calls: known before the body is read, and looked at again when it has been, for bodies may be long under way. */
interface Entry {
  admit(): Promise<CallingKey>;
  /** It rejected. */
  refused(error: unknown): void;
  again(key: CallingKey): CallingKey | Promise<CallingKey>;
}

type CallHeaders = Omit<RequestHead, 'bytes' | 'contentLength' | 'authorization'>;

export class InvokeRoute implements PlainCallHandler {
  readonly #gate: AgentGate;
  readonly #run: Invoke;
  readonly #limits: Limits;
  readonly #logger: Logger;

  constructor(parts: { gate: AgentGate; invoke: Invoke; limits: Limits; logger: Logger }) {
    this.#gate = parts.gate;
    this.#run = parts.invoke;
    this.#limits = parts.limits;
    this.#logger = parts.logger;
  }

  /** Never rejects: every request is answered. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#handle(request, response, {
      admit: () => this.#gate.admit(request.headers.authorization, (name, value) => response.setHeader(name, value)),
      refused: (error) => this.#gate.refused(error, request.headers.authorization),
      again: (key) => this.#gate.again(key),
    });
  }

  /**
   * Likewise, for somebody else who may use the key: nothing of the answer is another.
   *
   * @param again rejects when they may not any more
   */
  handleAs(key: CallingKey, again: Entry['again'], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admit = async () => {
      await this.#gate.charge(key, (name, value) => response.setHeader(name, value));
      return key;
    };
    return this.#handle(request, response, { admit, refused: (error) => this.#gate.refused(error, key), again });
  }

  mayReadBody({ authorization }: RequestHead, lastKey: LastKey): boolean {
    return this.#gate.admitsNow(lastKey, authorization);
  }

  handlePlain(call: PlainCall): void {
    void this.#answerPlain(call);
  }

  async #answerPlain(call: PlainCall): Promise<void> {
    const { head, lastKey } = call;
    const headers: Record<string, string> = {};
    let key: CallingKey | undefined;
    try {
      const setHeader = (name: string, value: string) => {
        headers[name] = value;
      };
      const admitted = this.#gate.admitFrom(lastKey, head.authorization, setHeader);
      key = admitted instanceof Promise ? await admitted : admitted;
      const json = await this.#run({
        key,
        body: parseJsonBody(call.body),
        ...readHeaders(head),
        whenGone: (listener) => call.whenGone(listener),
        onProgress: undefined,
      });
      call.answer(200, { ...headers, 'content-type': 'application/json' }, json);
    } catch (error) {
      if (!key) this.#gate.refused(error, head.authorization);
      const problem = invokeProblem(toSvcError(error, this.#logger, 'invoke'));
      call.answer(problem.status, { ...headers, ...problem.headers }, problem.body);
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse, entry: Entry): Promise<void> {
    let key: CallingKey | undefined;
    try {
      const admitted = await entry.admit();
      key = admitted;
      const again = () => entry.again(admitted);
      if (request.headers.accept?.includes('text/event-stream')) await this.#stream(again, request, response);
      else this.#answer(response, await this.#invoke(again, request, response));
    } catch (error) {
      if (!key) entry.refused(error);
      this.#fail(response, toSvcError(error, this.#logger, 'invoke'));
    }
  }

  async #invoke(
    keyOf: () => CallingKey | Promise<CallingKey>,
    request: IncomingMessage,
    response: ServerResponse,
    onProgress?: (progress: unknown) => void,
  ): Promise<string> {
    const body = await readJson(request, this.#limits.requestBodyBytes);
    const found = keyOf();
    return this.#run({
      key: found instanceof Promise ? await found : found,
      body,
      ...readHeaders(headersOf(request)),
      whenGone: (listener) => whenGone(response, listener),
      onProgress,
    });
  }

  async #stream(keyOf: () => CallingKey | Promise<CallingKey>, request: IncomingMessage, response: ServerResponse): Promise<void> {
    startEvents(response);
    try {
      const onProgress = (progress: unknown) => {
        // For a caller that does not read, reports would pile up; the result tells the end of it.
        if (!response.writableNeedDrain) sendEvent(response, 'progress', JSON.stringify(progress));
      };
      sendEvent(response, 'result', await this.#invoke(keyOf, request, response, onProgress));
    } catch (error) {
      sendEvent(response, 'error', JSON.stringify(toSvcError(error, this.#logger, 'invoke').toProblem()));
    }
    response.end();
  }

  #answer(response: ServerResponse, json: string): void {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
    response.end(json);
  }

  #fail(response: ServerResponse, error: SvcError): void {
    const { status, headers, body } = invokeProblem(error);
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  }
}

function invokeProblem(error: SvcError): ProblemAnswer {
  const answer = problemAnswer(error);
  // The rest of a body that is too large is not read: the connection cannot be used again.
  if (error.code === 'REQUEST_TOO_LARGE') answer.headers.connection = 'close';
  // The retry shall come to another node.
  if (error.code === 'SERVICE_STOPPING') answer.headers.connection = 'close';
  return answer;
}

/** A plain callback: an abort signal per request costs microseconds. */
function whenGone(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) return listener();
  response.once('close', () => {
    if (!response.writableFinished) listener();
  });
}

function headersOf({ headers }: IncomingMessage): CallHeaders {
  return {
    idempotencyKey: single(headers[HEADERS.idempotencyKey]),
    timeoutMs: single(headers[HEADERS.timeoutMs]),
    maxResultChars: single(headers[HEADERS.maxResultChars]),
    searchId: single(headers[HEADERS.searchId]),
    traceparent: single(headers.traceparent),
    tracestate: single(headers.tracestate),
  };
}

/** `node:http` joins repeated headers to one text, but for `set-cookie`. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** @throws SvcError INVALID_REQUEST */
function readHeaders(headers: CallHeaders) {
  return {
    idempotencyKey: readIdempotencyKey(headers.idempotencyKey),
    timeoutMs: readTimeout(headers.timeoutMs),
    maxResultChars: readMaxResultChars(headers.maxResultChars),
    trace: readTraceContext(headers.traceparent, headers.tracestate),
    searchId: readSearchId(headers.searchId),
  };
}

function readIdempotencyKey(value: string | undefined): string | undefined {
  if (value === undefined || VISIBLE_ASCII.test(value)) return value;
  throw new SvcError('INVALID_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

function readMaxResultChars(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const chars = Number(value);
  if (Number.isSafeInteger(chars) && chars >= MIN_RESULT_CHARS) return chars;
  throw new SvcError('INVALID_REQUEST', `Svc-Max-Result-Chars must be a whole number of ${MIN_RESULT_CHARS} or more`);
}

function readTimeout(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const timeoutMs = Number(value);
  if (Number.isSafeInteger(timeoutMs) && timeoutMs > 0) return timeoutMs;
  throw new SvcError('INVALID_REQUEST', 'Svc-Timeout-Ms must be a whole number of milliseconds above 0');
}
