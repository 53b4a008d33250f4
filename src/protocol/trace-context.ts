/**
 * The trace of a call, passed on as received, whether or not this process records spans.
 *
 * Errors: a malformed context is dropped, and a `tracestate` without its `traceparent` too: tracing must not be able to fail a call.
 * Source: W3C Trace Context (https://www.w3.org/TR/trace-context/), sections 3.2, 3.3 and 4.
 */
export interface TraceContext {
  traceparent: string;
  tracestate?: string;
}

/** 55 characters; a version after 00 may have more fields behind them. Version ff and ids of zeros are invalid. */
const TRACEPARENT = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/;
/** Section 3.3.1.5 asks for room for 512 characters. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;
const MAX_TRACEPARENT_CHARS = 255;

/** Reads the headers of a request or the params of a frame. */
export function readTraceContext(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT_CHARS || !TRACEPARENT.test(traceparent)) return undefined;
  return typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? { traceparent, tracestate } : { traceparent };
}

/** 32 hexadecimal digits. */
export function traceIdOf({ traceparent }: TraceContext): string {
  return traceparent.slice(3, 35);
}
