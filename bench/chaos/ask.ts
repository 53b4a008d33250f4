/** One try of a call: over the SDK, with its retries, or as one HTTP request. Never rejects. */
import { once } from 'node:events';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { InvokeResponse, SvcError, Tools, UnfinishedInvocation } from '../../src/index.ts';
import { type CallPayment, HEADERS, PATHS } from '../../src/protocol/http.ts';
import type { CallPlan, Outcome, Try } from './call-record.ts';

/** How long past its deadline a call is waited for: it is late long before, but then we know how late. */
const PATIENCE_MS = 20_000;
/** Time of a request that returns a handle, or of one that asks for its result. */
export const HANDLE_MS = 20_000;
const FOLLOW_SECONDS = 5;

/** @param deadlineMs in place of the call's own */
export async function askTools(tools: Tools, call: CallPlan, deadlineMs = call.deadlineMs): Promise<Try> {
  const { isDetached, key: idempotencyKey } = call;
  return noted('front', isDetached ? HANDLE_MS : deadlineMs, () =>
    outcomeOf(() => {
      const { action, payload } = bodyOf(call);
      const options = { idempotencyKey, timeoutMs: deadlineMs };
      return isDetached ? tools.invoke(action, payload, { ...options, wait: false }) : tools.invoke(action, payload, options);
    }),
  );
}

export async function followTools(tools: Tools, handle: string): Promise<Try> {
  return noted('front', HANDLE_MS, () => outcomeOf(() => tools.result(handle, { wait: FOLLOW_SECONDS })));
}

export interface Door {
  /** Name of the node behind it. */
  name: string;
  origin: string;
}

/** A node, and how to ask it. */
export interface Asked {
  door: Door;
  agentKey: string;
  agent: Agent;
}

export async function askRaw(asked: Asked, call: CallPlan, deadlineMs = call.deadlineMs): Promise<Try> {
  const timeMs = call.isDetached ? HANDLE_MS : deadlineMs;
  return send(asked, timeMs, {
    path: PATHS.invoke,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [HEADERS.idempotencyKey]: call.key,
      [HEADERS.timeoutMs]: String(deadlineMs),
      ...(call.isDetached && { [HEADERS.prefer]: 'respond-async' }),
    },
    body: JSON.stringify(bodyOf(call)),
  });
}

export async function followRaw(asked: Asked, handle: string): Promise<Try> {
  return send(asked, HANDLE_MS, { path: `${PATHS.invocations}/${handle}?wait=${FOLLOW_SECONDS}`, method: 'GET' });
}

type ErrorFacts = Pick<SvcError, 'code' | 'message' | 'details' | 'retryAfterMs' | 'retryable'>;

interface Sent {
  path: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** Not with undici: each refused connection to a node that is down costs it time for each connection that is open, so a busy caller never gets on. */
async function send({ door, agentKey, agent }: Asked, timeMs: number, { path, method, headers, body }: Sent): Promise<Try> {
  return noted(door.name, timeMs, async () => {
    try {
      const all = { authorization: `Bearer ${agentKey}`, ...headers };
      const sending = request(door.origin + path, { method, headers: all, agent, signal: AbortSignal.timeout(timeMs + PATIENCE_MS) });
      sending.end(body);
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      return readOutcome(answer.statusCode ?? 0, await text(answer));
    } catch (error) {
      return { kind: 'broken', what: String(error) };
    }
  });
}

async function noted(through: string, deadlineMs: number, ask: () => Promise<Outcome>): Promise<Try> {
  const sentAt = Date.now();
  const outcome = await ask();
  return { through, sentAt, answeredAt: Date.now(), deadlineMs, outcome };
}

function bodyOf({ toolkit, action, number, workMs }: CallPlan) {
  return { action: `${toolkit}__${action}`, payload: { call: number, workMs } };
}

async function outcomeOf(ask: () => Promise<InvokeResponse | UnfinishedInvocation>): Promise<Outcome> {
  try {
    return answerOutcome(await ask());
  } catch (error) {
    return isSvcError(error) ? errorOutcome(error) : { kind: 'broken', what: String(error) };
  }
}

function readOutcome(status: number, text: string): Outcome {
  const body = JSON.parse(text);
  if (status === 200 || status === 202) return answerOutcome(body);
  if (typeof body.code !== 'string') return { kind: 'broken', what: `HTTP ${status}: ${text}` };
  return errorOutcome({ ...body, message: body.detail, details: body });
}

function answerOutcome(answer: InvokeResponse | UnfinishedInvocation): Outcome {
  return 'status' in answer ? { kind: 'unfinished', handle: answer.invocationId } : resultOutcome(answer.result, answer.payment);
}

function resultOutcome(result: unknown, payment: CallPayment | undefined): Outcome {
  const { call, token } = Object(result);
  return { kind: 'result', call, token, charged: payment?.charged };
}

function errorOutcome({ code, message, details, retryAfterMs, retryable }: ErrorFacts): Outcome {
  const { cause, approval } = details;
  const token = cause?.message;
  return {
    kind: 'error',
    code,
    message,
    token,
    approval: approval?.id,
    retryAfterMs,
    retryable,
    isWithdrawn: approval?.status === 'withdrawn',
  };
}

/** The SDK comes from the build, so its class is not the one of the sources. */
function isSvcError(error: unknown): error is SvcError {
  return error instanceof Error && error.name === 'SvcError';
}
