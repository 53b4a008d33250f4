/**
 * OpenTelemetry: `new Tools({ fetch: tracedFetch() })` and `new Toolkit({ middleware: tracedHandlers() })`. One trace from the agent's span through
 * the service into the handler. Without an SDK that the application has registered, both do nothing.
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
 * Sends the active trace context with every request of a `Tools`. Not needed where an instrumentation of `fetch` does so.
 *
 * @param fetch what sends the request; the platform's own unless told
 */
export function tracedFetch(fetch: FetchLike = (url, init) => globalThis.fetch(url, init)): FetchLike {
  return (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...traceHeaders() } });
}

/**
 * A span for every run of a handler, `execute_tool <action>`, below the service's or the agent's; it is active while the handler runs. No payload,
 * result, message or key is an attribute.
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

/** The service has checked its form. */
function parentOf({ traceparent, tracestate }: ActionContext): Context {
  const active = context.active();
  if (traceparent === undefined) return active;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const traceState = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  return trace.setSpanContext(active, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, ...traceState });
}

/** A word, and no longer than one: the rest of an error may hold what the caller sent. */
const ERROR_TYPE = /^[\w.-]{1,50}$/;

function markFailed(span: Span, error: unknown): void {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  const type = [code, name].find((word): word is string => typeof word === 'string' && ERROR_TYPE.test(word)) ?? '_OTHER';
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}
