/**
 * A span for each call of an agent, between the agent's own and the handler's: its context goes to the handler in place of the caller's.
 *
 * Shape:  `execute_tool <action id>`, kind SERVER; below the span that is active in this process (of an HTTP instrumentation, say), else below the
 *         caller's `traceparent`. No payload, result, message or key is an attribute.
 * Source: OpenTelemetry semantic conventions for generative AI, "execute tool" span; `error.type` of the general ones.
 */
import type { Context, Span } from '@opentelemetry/api';
import type { TraceContext } from '#sdk/protocol/trace-context';
import type { CallObserver, ObservedRequest } from '../calls/call-observer';
import { version } from '../lib/version';
import type { OpenTelemetry } from './open-telemetry';

export function tracedCalls(api: OpenTelemetry): CallObserver {
  const tracer = api.trace.getTracer('svc-sdk', version);
  const spans = new Map<ObservedRequest, Span>();
  return {
    requestReceived(request) {
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.type': 'function', 'svc.agent.id': request.key.id };
      const span = tracer.startSpan('execute_tool', { kind: api.SpanKind.SERVER, attributes }, parentOf(request.trace, api));
      spans.set(request, span);
      return traceContextOf(span, api);
    },
    requestAccepted(request) {
      const { actionId, invocationId } = request.accepted ?? {};
      spans
        .get(request)
        ?.updateName(`execute_tool ${actionId}`)
        .setAttributes({ 'gen_ai.tool.name': actionId, 'gen_ai.tool.call.id': invocationId });
    },
    requestEnded(request, code) {
      const span = spans.get(request);
      spans.delete(request);
      if (code !== 'OK') span?.setAttribute('error.type', code).setStatus({ code: api.SpanStatusCode.ERROR });
      span?.end();
    },
  };
}

function parentOf(caller: TraceContext | undefined, { trace, context, createTraceState }: OpenTelemetry): Context {
  const active = context.active();
  if (!caller || trace.getSpan(active)) return active;
  const [, traceId = '', spanId = '', flags = ''] = caller.traceparent.split('-');
  const traceState = caller.tracestate === undefined ? {} : { traceState: createTraceState(caller.tracestate) };
  return trace.setSpanContext(active, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true, ...traceState });
}

/** Undefined where no SDK is registered: then the caller's own goes on. */
function traceContextOf(span: Span, { isSpanContextValid }: OpenTelemetry): TraceContext | undefined {
  const spanContext = span.spanContext();
  if (!isSpanContextValid(spanContext)) return undefined;
  const { traceId, spanId, traceFlags, traceState } = spanContext;
  const tracestate = traceState?.serialize();
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  return tracestate ? { traceparent, tracestate } : { traceparent };
}
