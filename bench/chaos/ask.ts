/** One try of a call: over the SDK, with its retries, or as one HTTP request. Never rejects. */
import { type Dispatcher, request } from 'undici';
import type { SvcError, Tools } from '../../src/index.ts';
import { type CallPayment, HEADERS, PATHS } from '../../src/protocol/http.ts';
import type { CallPlan, Outcome, Try } from './call-record.ts';

/** How long past its deadline a call is waited for: it is late long before, but then we know how late. */
const PATIENCE_MS = 20_000;

/** @param deadlineMs in place of the call's own */
export async function askTools(tools: Tools, call: CallPlan, deadlineMs = call.deadlineMs): Promise<Try> {
  return noted('front', deadlineMs, async () => {
    try {
      const { action, payload } = bodyOf(call);
      const { result, payment } = await tools.invoke(action, payload, { idempotencyKey: call.key, timeoutMs: deadlineMs });
      return resultOutcome(result, payment);
    } catch (error) {
      return isSvcError(error) ? errorOutcome(error) : { kind: 'broken', what: String(error) };
    }
  });
}

export interface Door {
  /** Name of the node behind it. */
  name: string;
  origin: string;
}

export async function askRaw(
  door: Door,
  agentKey: string,
  dispatcher: Dispatcher,
  call: CallPlan,
  deadlineMs = call.deadlineMs,
): Promise<Try> {
  return noted(door.name, deadlineMs, async () => {
    try {
      const answer = await request(door.origin + PATHS.invoke, {
        dispatcher,
        method: 'POST',
        headers: {
          authorization: `Bearer ${agentKey}`,
          'content-type': 'application/json',
          [HEADERS.idempotencyKey]: call.key,
          [HEADERS.timeoutMs]: String(deadlineMs),
        },
        body: JSON.stringify(bodyOf(call)),
        headersTimeout: deadlineMs + PATIENCE_MS,
        bodyTimeout: PATIENCE_MS,
      });
      return readOutcome(answer.statusCode, await answer.body.text());
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

function readOutcome(status: number, text: string): Outcome {
  const body = JSON.parse(text);
  if (status === 200) return resultOutcome(body.result, body.payment);
  if (typeof body.code !== 'string') return { kind: 'broken', what: `HTTP ${status}: ${text}` };
  return { kind: 'error', code: body.code, message: body.detail, token: body.cause?.message, retryAfterMs: body.retryAfterMs };
}

function resultOutcome(result: unknown, payment: CallPayment | undefined): Outcome {
  const { call, token } = Object(result);
  return { kind: 'result', call, token, charged: payment?.charged };
}

function errorOutcome({ code, message, details, retryAfterMs }: SvcError): Outcome {
  return { kind: 'error', code, message, token: details.cause?.message, retryAfterMs };
}

/** The SDK comes from the build, so its class is not the one of the sources. */
function isSvcError(error: unknown): error is SvcError {
  return error instanceof Error && error.name === 'SvcError';
}
