/**
 * `POST /v1/invoke`: a hot route, so it uses neither a router nor web streams. Plain requests come from fast-path/, all others from
 * `node:http`; both get the same answers. docs/protocol.md section 5.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readAsk } from '#sdk/protocol/ask';
import { SvcError } from '#sdk/protocol/errors';
import { HEADERS, MIN_RESULT_CHARS, PATHS } from '#sdk/protocol/http';
import { readPrefer } from '#sdk/protocol/prefer';
import { readTraceContext } from '#sdk/protocol/trace-context';
import type { AnswerCaller, AnsweredCall, Begin, CallRequest, Invoke } from '../calls/call-request';
import type { CallingKey } from '../keys/agent-tokens';
import { readCallerIds } from '../keys/caller-ids';
import { CallerCredentials, readConnectionNames } from '../lib/caller-credentials';
import { currentWork } from '../lib/current-work';
import type { Logger } from '../lib/logger';
import { toSvcError } from '../lib/problem';
import { sendEvent, startEvents } from '../lib/server-sent-events';
import type { AgentGate } from './agent-gate';
import type { RequestHead } from './fast-path/request-head';
import { answerJson, answerProblem, joinedHeader } from './hot-answers';
import { type AdmittedRequest, PlainRoute } from './plain-route';
import { readActionVersion } from './read-action-version';
import { parseJsonBody, type RequestBodies } from './read-body';
import { readMadeBy } from './read-made-by';
import { readMaxPaymentHeader } from './read-max-payment';
import { readSearchId } from './read-search-id';
import type { UsageReports } from './usage-reports';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** Authentication of one request: before its body is read, and again afterwards, because reading a long body takes time. */
interface Entry {
  admit(): Promise<CallingKey>;
  /** Called after `admit` has rejected. */
  refused(error: unknown): void;
  again(key: CallingKey): CallingKey | Promise<CallingKey>;
}

type CallHeaders = Omit<RequestHead, 'path' | 'bytes' | 'contentLength' | 'authorization'>;

export class InvokeRoute {
  /** Answers plain requests. */
  readonly plain: PlainRoute;
  readonly #gate: AgentGate;
  readonly #begin: Begin;
  readonly #run: Invoke;
  readonly #bodies: RequestBodies;
  readonly #usageReports: UsageReports;
  readonly #logger: Logger;

  constructor(parts: { gate: AgentGate; begin: Begin; invoke: Invoke; bodies: RequestBodies; usageReports: UsageReports; logger: Logger }) {
    this.#gate = parts.gate;
    this.#begin = parts.begin;
    this.#run = parts.invoke;
    this.#bodies = parts.bodies;
    this.#usageReports = parts.usageReports;
    this.#logger = parts.logger;
    this.plain = new PlainRoute({
      gate: parts.gate,
      logger: parts.logger,
      where: 'invoke',
      refused: (error, authorization) => this.#gate.refused(error, authorization),
      run: (admitted, answer) => this.#beginPlain(admitted, answer),
    });
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
   * Handles a call as `handle` does, for a person who manages the key. The answer is the same; the key's rate limit does not apply.
   *
   * @param again rejects if the person may no longer use the key
   */
  handleAs(key: CallingKey, again: Entry['again'], request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#handle(request, response, { admit: async () => key, refused: () => {}, again });
  }

  #beginPlain({ request, key, body }: AdmittedRequest, answer: AnswerCaller): void {
    let call: CallRequest;
    try {
      const onDisconnect = (listener: () => void) => request.onDisconnect(listener);
      call = { key, body: parseJsonBody(body), ...readCallHeaders(request.head), onDisconnect, onProgress: undefined };
      this.#usageReports.take(key, request.head);
    } catch (error) {
      return answer(error, '');
    }
    this.#begin(call, answer);
  }

  async #handle(request: IncomingMessage, response: ServerResponse, entry: Entry): Promise<void> {
    let key: CallingKey | undefined;
    try {
      const admitted = await entry.admit();
      key = admitted;
      const again = () => entry.again(admitted);
      if (request.headers.accept?.includes('text/event-stream')) await this.#stream(again, request, response);
      else {
        const { json, status } = await this.#invoke(again, request, response);
        answerJson(response, json, status);
      }
    } catch (error) {
      if (!key) entry.refused(error);
      answerProblem(response, toSvcError(error, this.#logger, 'invoke'));
    }
  }

  async #invoke(
    keyOf: () => CallingKey | Promise<CallingKey>,
    request: IncomingMessage,
    response: ServerResponse,
    onProgress?: (progress: unknown) => void,
  ): Promise<AnsweredCall> {
    const body = await this.#bodies.readJson(request);
    const found = keyOf();
    const key = found instanceof Promise ? await found : found;
    currentWork.mark(PATHS.invoke, key.id);
    const headers = callHeadersOf(request);
    const read = readCallHeaders(headers);
    this.#usageReports.take(key, headers);
    return this.#run({
      key,
      body,
      ...read,
      onDisconnect: (listener) => onDisconnect(response, listener),
      onProgress,
    });
  }

  async #stream(keyOf: () => CallingKey | Promise<CallingKey>, request: IncomingMessage, response: ServerResponse): Promise<void> {
    startEvents(response);
    try {
      const onProgress = (progress: unknown) => {
        // Drops reports while the caller does not read: they would fill the memory, and the result follows anyway.
        if (!response.writableNeedDrain) sendEvent(response, 'progress', JSON.stringify(progress));
      };
      sendEvent(response, 'result', (await this.#invoke(keyOf, request, response, onProgress)).json);
    } catch (error) {
      sendEvent(response, 'error', JSON.stringify(toSvcError(error, this.#logger, 'invoke').toProblem()));
    }
    response.end();
  }
}

/** Takes a plain callback, because an abort signal per request costs microseconds. */
function onDisconnect(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) return listener();
  response.once('close', () => {
    if (!response.writableFinished) listener();
  });
}

export function callHeadersOf({ headers }: Pick<IncomingMessage, 'headers'>): CallHeaders {
  return {
    idempotencyKey: joinedHeader(headers[HEADERS.idempotencyKey]),
    timeoutMs: joinedHeader(headers[HEADERS.timeoutMs]),
    prefer: joinedHeader(headers[HEADERS.prefer]),
    ask: joinedHeader(headers[HEADERS.ask]),
    maxResultChars: joinedHeader(headers[HEADERS.maxResultChars]),
    searchId: joinedHeader(headers[HEADERS.searchId]),
    maxPayment: joinedHeader(headers[HEADERS.maxPayment]),
    actionVersion: joinedHeader(headers[HEADERS.actionVersion]),
    userId: joinedHeader(headers[HEADERS.userId]),
    sessionId: joinedHeader(headers[HEADERS.sessionId]),
    connections: joinedHeader(headers[HEADERS.connections]),
    connectionNames: joinedHeader(headers[HEADERS.connectionNames]),
    traceparent: joinedHeader(headers.traceparent),
    tracestate: joinedHeader(headers.tracestate),
    caller: joinedHeader(headers[HEADERS.caller]),
    usage: joinedHeader(headers[HEADERS.usage]),
  };
}

/** @throws SvcError INVALID_REQUEST */
export function readCallHeaders(headers: CallHeaders) {
  return {
    idempotencyKey: readIdempotencyKey(headers.idempotencyKey),
    timeoutMs: readTimeout(headers.timeoutMs),
    prefer: readPrefer(headers.prefer),
    ask: readAsk(headers.ask),
    maxResultChars: readMaxResultChars(headers.maxResultChars),
    trace: readTraceContext(headers.traceparent, headers.tracestate),
    searchId: readSearchId(headers.searchId),
    maxPayment: readMaxPaymentHeader(headers.maxPayment),
    actionVersion: readActionVersion(headers.actionVersion),
    callerIds: readCallerIds(headers.sessionId, headers.userId),
    credentials: CallerCredentials.read(headers.connections),
    connectionNames: readConnectionNames(headers.connectionNames),
    madeBy: readMadeBy(headers.caller),
  };
}

function readIdempotencyKey(value: string | undefined): string | undefined {
  if (value === undefined || VISIBLE_ASCII.test(value)) return value;
  throw new SvcError('INVALID_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

function readMaxResultChars(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const chars = readDigits(value);
  if (chars >= MIN_RESULT_CHARS) return chars;
  throw new SvcError('INVALID_REQUEST', `Svc-Max-Result-Chars must be a whole number of ${MIN_RESULT_CHARS} or more`);
}

function readTimeout(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const timeoutMs = readDigits(value);
  if (timeoutMs > 0) return timeoutMs;
  throw new SvcError('INVALID_REQUEST', 'Svc-Timeout-Ms must be a whole number of milliseconds above 0');
}

/** `NaN` for other notations, such as hexadecimal, and for numbers that are not exact. */
function readDigits(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : Number.NaN;
}
