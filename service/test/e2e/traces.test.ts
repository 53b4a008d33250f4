/** One trace from the agent through the service into the handler, with the real SDK of OpenTelemetry. */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type ActionContext, Toolkit } from 'svc-sdk';
import { tracedFetch, tracedHandlers } from 'svc-sdk/opentelemetry';
import type { ServiceOptions } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** Registered as an application does it, until the test ends. */
function recordSpans(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return exporter;
}

async function startTraced(
  options: ServiceOptions = { tracing: true },
  define: (toolkit: Toolkit) => void = () => {},
): Promise<TestService> {
  const service = await startService(options);
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key, middleware: tracedHandlers() });
  toolkit.action({ action: 'today', actionDescription: 'Weather' }, (ctx) => {
    trace.getTracer('app').startSpan('inside the handler').end();
    return ctx.result('sunny');
  });
  toolkit.action({ action: 'fail', actionDescription: 'Fails' }, (ctx) => ctx.error('NO_CITY', 'There is no secret-payload'));
  toolkit.action({ action: 'throw', actionDescription: 'Throws' }, () => {
    throw new RangeError('secret-payload');
  });
  define(toolkit);
  void toolkit.run();
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  await toolkit.ready;
  return service;
}

function spanNamed(exporter: InMemorySpanExporter, name: string): ReadableSpan {
  const spans = exporter.getFinishedSpans().filter((span) => span.name === name);
  expect(spans, name).toHaveLength(1);
  return spans[0]!;
}

test('agent, service, handler and what the handler does are one trace, each below the one before', async () => {
  const exporter = recordSpans();
  const service = await startTraced();
  const tools = await service.tools({ fetch: tracedFetch() });
  const { invocationId } = await trace.getTracer('app').startActiveSpan('agent', async (span) => {
    const answer = await tools.invoke('weather__today', { note: 'secret-payload' });
    span.end();
    return answer;
  });
  await expect.poll(() => exporter.getFinishedSpans()).toHaveLength(4);
  const [agent, relay, handler, inner] = ['agent', 'execute_tool weather__today', 'execute_tool today', 'inside the handler'].map((name) =>
    spanNamed(exporter, name),
  );
  for (const [child, parent] of [
    [relay, agent],
    [handler, relay],
    [inner, handler],
  ]) {
    expect(child?.spanContext().traceId).toBe(agent?.spanContext().traceId);
    expect(child?.parentSpanContext?.spanId).toBe(parent?.spanContext().spanId);
  }
  expect(relay?.kind).toBe(SpanKind.SERVER);
  expect(relay?.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.name': 'weather__today',
    'gen_ai.tool.call.id': invocationId,
    'svc.agent.id': expect.stringMatching(/^key_/),
  });
  expect(handler?.attributes).toEqual({ ...relay?.attributes, 'gen_ai.tool.name': 'today' });
});

test.each([
  ['weather__fail', 'execute_tool fail', 'NO_CITY'],
  ['weather__throw', 'execute_tool throw', 'RangeError'],
])('a failure of %s is marked on both sides, without texts of users', async (action, handlerSpan, errorType) => {
  const exporter = recordSpans();
  const service = await startTraced();
  const { key } = await service.keys.create({ kind: 'agent', name: 'me' });
  const tools = await service.tools({ apiKey: key });
  await expect(tools.invoke(action, { note: 'secret-payload' })).rejects.toMatchObject({ code: 'ACTION_FAILED' });
  await expect.poll(() => exporter.getFinishedSpans()).toHaveLength(2);
  for (const [name, type] of [
    [`execute_tool ${action}`, 'ACTION_FAILED'],
    [handlerSpan, errorType],
  ] as const) {
    const { status, attributes, events } = spanNamed(exporter, name);
    expect({ status, type: attributes['error.type'], events }).toEqual({ status: { code: SpanStatusCode.ERROR }, type, events: [] });
  }
  const told = JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
  );
  expect(told).not.toMatch(/secret-payload|svc_(agent|toolkit)_/);
});

test('a rejected call has a span with the reason, and no name from the caller', async () => {
  const exporter = recordSpans();
  const service = await startTraced();
  await expect((await service.tools()).invoke('weather__tody')).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
  await expect.poll(() => exporter.getFinishedSpans()).toHaveLength(1);
  expect(spanNamed(exporter, 'execute_tool').attributes).toMatchObject({ 'error.type': 'ACTION_NOT_FOUND' });
});

test('over /mcp a call is below the trace of the request', async () => {
  const exporter = recordSpans();
  const service = await startTraced();
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'invoke_service', arguments: { action: 'weather__today' } },
  };
  const headers = { traceparent: TRACEPARENT, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  await (await service.request('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })).text();
  await expect.poll(() => exporter.getFinishedSpans()).toHaveLength(3);
  expect(spanNamed(exporter, 'execute_tool weather__today').parentSpanContext).toMatchObject({
    spanId: '00f067aa0ba902b7',
    isRemote: true,
  });
});

test('an active span of the service process overrides the header of the caller', async () => {
  const exporter = recordSpans();
  const service = await trace.getTracer('app').startActiveSpan('instrumented', async (span) => {
    span.end();
    return startTraced();
  });
  await service.request('/v1/invoke', { method: 'POST', headers: { traceparent: TRACEPARENT }, body: '{"action": "weather__today"}' });
  await expect.poll(() => exporter.getFinishedSpans().length).toBe(4);
  const relay = spanNamed(exporter, 'execute_tool weather__today');
  expect(relay.parentSpanContext?.spanId).toBe(spanNamed(exporter, 'instrumented').spanContext().spanId);
});

test('a service that does not trace passes the context of the caller on to the handler', async () => {
  const seen: Partial<ActionContext>[] = [];
  const service = await startService();
  await service.toolkit('weather', (toolkit) =>
    toolkit.action(
      { action: 'today', actionDescription: 'Weather' },
      ({ traceparent, tracestate }) => void seen.push({ traceparent, tracestate }),
    ),
  );
  const invoke = (headers: Record<string, string>) =>
    service.request('/v1/invoke', { method: 'POST', headers, body: '{"action": "weather__today"}' });
  await invoke({ traceparent: TRACEPARENT, tracestate: 'rojo=1' });
  await invoke({ traceparent: 'nonsense', tracestate: 'rojo=1' });
  await invoke({});
  expect(seen).toEqual([
    { traceparent: TRACEPARENT, tracestate: 'rojo=1' },
    { traceparent: undefined, tracestate: undefined },
    { traceparent: undefined, tracestate: undefined },
  ]);
});

test('with tracing on and no SDK, the service still passes on the context of the caller', async () => {
  const service = await startService({ tracing: true });
  const raw = await RawToolkit.connect(service);
  await raw.register([{ action: 'ask', actionDescription: 'Asks' }]);
  const call = service.request('/v1/invoke', { method: 'POST', headers: { traceparent: TRACEPARENT }, body: '{"action": "raw__ask"}' });
  const { id, params } = await raw.invoked();
  expect(params.traceparent).toBe(TRACEPARENT);
  raw.send({ jsonrpc: '2.0', id, result: 1 });
  await call;
});
