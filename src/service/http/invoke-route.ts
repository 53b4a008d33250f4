/**
 * `POST /v1/invoke`: the hot route, so it uses neither a router nor web streams. Plain calls come from fast-invoke/, all others from `node:http`;
 * both get the same answers. docs/protocol.md section 5.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SvcError } from '../../protocol/errors';
import { HEADERS, MIN_RESULT_CHARS, PATHS } from '../../protocol/http';
import { invokeRequest, invokeResponse } from '../../protocol/schemas';
import { readTraceContext } from '../../protocol/trace-context';
import type { AnswerCaller, Begin, CallRequest, Invoke } from '../calls/calls';
import type { CallingKey } from '../keys/agent-tokens';
import { readCallerIds } from '../keys/caller-ids';
import { currentWork } from '../lib/current-work';
import type { Logger } from '../lib/logger';
import { type ProblemAnswer, problemAnswer, toSvcError } from '../lib/problem';
import { sendEvent, startEvents } from '../lib/server-sent-events';
import type { AgentGate, LastKey } from './agent-gate';
import type { DocumentedRoute } from './define-route';
import { INVOKE_EVENTS, idempotencyKey, maxPayment, maxResultChars, searchId, sessionId, timeout, userId } from './documented-headers';
import type { PlainCall, PlainCallHandler } from './fast-invoke/plain-call';
import type { RequestHead } from './fast-invoke/request-head';
import { parseJsonBody, type RequestBodies } from './read-body';
import { readMaxPaymentHeader } from './read-max-payment';
import { readSearchId } from './read-search-id';

/** Served by `InvokeRoute`, not by hono. */
export const invokeDeclaration: DocumentedRoute = {
  id: 'invokeAction',
  summary: 'Use an action',
  method: 'POST',
  path: PATHS.invoke,
  access: 'agent',
  headers: [idempotencyKey, timeout, maxResultChars, searchId, maxPayment, userId, sessionId],
  body: invokeRequest,
  answer: invokeResponse,
  stream: INVOKE_EVENTS,
};

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Authentication of one request: before its body is read, and again afterwards, because reading a long body takes time. */
interface Entry {
  admit(): Promise<CallingKey>;
  /** Called when `admit` has rejected. */
  refused(error: unknown): void;
  again(key: CallingKey): CallingKey | Promise<CallingKey>;
}

type CallHeaders = Omit<RequestHead, 'bytes' | 'contentLength' | 'authorization'>;

export class InvokeRoute implements PlainCallHandler {
  readonly #gate: AgentGate;
  readonly #begin: Begin;
  readonly #run: Invoke;
  readonly #bodies: RequestBodies;
  readonly #logger: Logger;

  constructor(parts: { gate: AgentGate; begin: Begin; invoke: Invoke; bodies: RequestBodies; logger: Logger }) {
    this.#gate = parts.gate;
    this.#begin = parts.begin;
    this.#run = parts.invoke;
    this.#bodies = parts.bodies;
    this.#logger = parts.logger;
  }

  /** Answers every request. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#handle(request, response, {
      admit: () => this.#gate.admit(request.headers.authorization, (name, value) => response.setHeader(name, value)),
      refused: (error) => this.#gate.refused(error, request.headers.authorization),
      again: (key) => this.#gate.again(key),
    });
  }

  /**
   * Handles a call as `handle` does, for a person who manages the key. The answer is the same.
   *
   * @param again rejects when the person may not use the key any more
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

  handlePlain(call: PlainCall, body: string): void {
    const { authorization } = call.head;
    const headers: Record<string, string> = {};
    const setHeader = (name: string, value: string) => {
      headers[name] = value;
    };
    const refuse = (error: unknown) => {
      this.#gate.refused(error, authorization);
      this.#answerProblem(call, headers, error);
    };
    let key: CallingKey | Promise<CallingKey>;
    try {
      key = this.#gate.admitFrom(call.lastKey, authorization, setHeader);
    } catch (error) {
      return refuse(error);
    }
    if (key instanceof Promise) key.then((admitted) => this.#beginPlain(call, admitted, headers, body), refuse);
    else this.#beginPlain(call, key, headers, body);
  }

  #beginPlain(call: PlainCall, key: CallingKey, headers: Record<string, string>, body: string): void {
    const answer: AnswerCaller = (error, json) => {
      if (error !== undefined) return this.#answerProblem(call, headers, error);
      headers['content-type'] = 'application/json';
      call.answer(200, headers, json);
    };
    currentWork.mark(PATHS.invoke, key.id);
    let request: CallRequest;
    try {
      const whenGone = (listener: () => void) => call.whenGone(listener);
      request = { key, body: parseJsonBody(body), ...readHeaders(call.head), whenGone, onProgress: undefined };
    } catch (error) {
      return answer(error, '');
    }
    this.#begin(request, answer);
  }

  #answerProblem(call: PlainCall, headers: Record<string, string>, error: unknown): void {
    const problem = invokeProblem(toSvcError(error, this.#logger, 'invoke'));
    call.answer(problem.status, { ...headers, ...problem.headers }, problem.body);
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
    const body = await this.#bodies.readJson(request);
    const found = keyOf();
    const key = found instanceof Promise ? await found : found;
    currentWork.mark(PATHS.invoke, key.id);
    return this.#run({
      key,
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
        // Drop reports while the caller does not read: they would fill the memory, and the result follows anyway.
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
  // The rest of the body may be unread, so the connection cannot be reused.
  if (error.code === 'REQUEST_TOO_LARGE' || error.code === 'SERVICE_UNAVAILABLE') answer.headers.connection = 'close';
  // A load balancer can send a retry on a new connection to another node.
  if (error.code === 'SERVICE_STOPPING') answer.headers.connection = 'close';
  return answer;
}

/** Takes a plain callback, because an abort signal per request costs microseconds. */
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
    maxPayment: single(headers[HEADERS.maxPayment]),
    userId: single(headers[HEADERS.userId]),
    sessionId: single(headers[HEADERS.sessionId]),
    traceparent: single(headers.traceparent),
    tracestate: single(headers.tracestate),
  };
}

/** `node:http` joins repeated headers into one text, except `set-cookie`. */
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
    maxPayment: readMaxPaymentHeader(headers.maxPayment),
    callerIds: readCallerIds(headers.sessionId, headers.userId),
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
