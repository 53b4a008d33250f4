/**
 * OpenTelemetry: `new Tools({ fetch: tracedFetch() })` and `new Toolkit({ middleware: tracedHandlers() })`. One trace goes from the agent's span
 * through the service into the handler. If the application has registered no SDK, both do nothing.
 *
 * Source: W3C Trace Context; OpenTelemetry semantic conventions for generative AI, "execute tool" span.
 */
import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { ActionContext, FetchLike, Middleware } from 'svc-sdk';

/**
 * Sends the active trace context with every request of a `Tools`. An instrumentation of `fetch` makes it unnecessary.
 *
 * @param fetch sends the request. Default: the platform's `fetch`
 */
export function tracedFetch(fetch: FetchLike = (url, init) => globalThis.fetch(url, init)): FetchLike {
  return (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...traceHeaders() } });
}

/**
 * A span for every run of a handler: `execute_tool <action>`, a child of the service's or the agent's span, active while the handler runs. No
 * payload, result, message or key is an attribute.
 */
export function tracedHandlers(): Middleware {
  const tracer = trace.getTracer('svc-sdk');
  return (ctx, run) => {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.name': ctx.action,
      'gen_ai.tool.call.id': ctx.invocationId,
      'svc.agent.id': ctx.agentId,
    };
    return tracer.startActiveSpan(`execute_tool ${ctx.action}`, { kind: SpanKind.SERVER, attributes }, parentOf(ctx), async (span) => {
      try {
        const result = await run();
        if (result instanceof Error) markFailed(span, result);
        return result;
      } catch (error) {
        markFailed(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  };
}

function traceHeaders(): Record<string, string> {
  const spanContext = trace.getSpanContext(context.active());
  if (!spanContext || !isSpanContextValid(spanContext)) return {};
  const { traceId, spanId, traceFlags, traceState } = spanContext;
  const tracestate = traceState?.serialize();
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  return { traceparent, ...(tracestate && { tracestate }) };
}

/** The parent span of a call. The service has validated `traceparent`. */
function parentOf({ traceparent, tracestate }: ActionContext): Context {
  const active = context.active();
  if (traceparent === undefined) return active;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const traceState = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  return trace.setSpanContext(active, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, ...traceState });
}

/** One short word: a longer text may hold data of the caller. */
const ERROR_TYPE = /^[\w.-]{1,50}$/;

function markFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorType(error)).setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '_OTHER';
  const words = ['code' in error && error.code, 'name' in error && error.name];
  return words.find((word): word is string => typeof word === 'string' && ERROR_TYPE.test(word)) ?? '_OTHER';
}
