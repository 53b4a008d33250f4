import { describe, expect, test } from 'vitest';
import { readTraceContext } from '#sdk/protocol/trace-context';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const good = `00-${TRACE}-${SPAN}-01`;

test('a trace context is passed on unchanged', () => {
  expect(readTraceContext(good, 'rojo=00f067aa0ba902b7,congo=t61')).toEqual({
    traceparent: good,
    tracestate: 'rojo=00f067aa0ba902b7,congo=t61',
  });
  expect(readTraceContext(good, undefined)).toEqual({ traceparent: good });
});

test('a later version may have more fields', () => {
  const later = `cc-${TRACE}-${SPAN}-01-what-comes`;
  expect(readTraceContext(later, undefined)).toEqual({ traceparent: later });
});

describe('a malformed header is left out with its state:', () => {
  test.each([
    ['nothing', undefined],
    ['a list of headers', [good, good]],
    ['another text', 'trace me'],
    ['version ff', good.replace(/^00/, 'ff')],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', good.toUpperCase()],
    ['version 00 with more fields', `${good}-more`],
    ['one without end', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(300)}`],
    ['a line end', `${good}\n`],
  ])('%s', (_what, traceparent) => expect(readTraceContext(traceparent, 'a=b')).toBeUndefined());
});

test.each([['a\nb'], [''], ['x'.repeat(513)], [['a=b']]])('state %j is left out alone', (tracestate) => {
  expect(readTraceContext(good, tracestate)).toEqual({ traceparent: good });
});
