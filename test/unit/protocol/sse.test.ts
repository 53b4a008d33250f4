import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents, type ServerSentEvent } from '../../../src/protocol/sse';

function streamOf(text: string, cuts: number[] = []): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const chunks = borders.slice(1).map((border, index) => bytes.slice(borders[index], border));
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

async function eventsOf(stream: ReadableStream<Uint8Array>): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(stream)) events.push(event);
  return events;
}

test('events are parsed whole, for any line ends and chunk boundaries', async () => {
  const event = fc.record({
    event: fc.constantFrom('progress', 'result', 'message'),
    data: fc.jsonValue().map((value) => JSON.stringify(value)),
  });
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(event), lineEnd, fc.array(fc.nat()), async (events, end, cuts) => {
      const text = events.map(({ event: name, data }) => `: comment${end}event: ${name}${end}data:${data}${end}${end}`).join('');
      expect(await eventsOf(streamOf(text, cuts))).toEqual(events);
    }),
  );
});

test('lines of data are joined, unknown fields and events without data are skipped, and one space after the colon is not content', async () => {
  const text = '\ufeffdata: a\ndata:  b\nid: 1\nretry: 5\nunknown\n\nevent: ping\n\ndata\n\n';
  expect(await eventsOf(streamOf(text))).toEqual([
    { event: 'message', data: 'a\n b' },
    { event: 'message', data: '' },
  ]);
});

test('an event that the end of the stream cuts off is dropped', async () => {
  expect(await eventsOf(streamOf('data: whole\n\nevent: result\ndata: half'))).toEqual([{ event: 'message', data: 'whole' }]);
});

test('a reader that stops early releases the stream', async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\ndata: 2\n\n')),
    cancel() {
      cancelled = true;
    },
  });
  const events = readEvents(stream);
  expect(await events.next()).toMatchObject({ value: { data: '1' } });
  await events.return();
  expect(cancelled).toBe(true);
});
