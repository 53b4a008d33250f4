/** The same response, streamed as server-sent events. */
import { pieces } from '../speech.ts';
import type { OutputItem, WireResponse } from './response.ts';

export function* toResponseEvents(response: WireResponse): Generator<string> {
  let sequence_number = 0;
  for (const event of eventsOf(response)) {
    yield `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
    sequence_number += 1;
  }
}

interface Event {
  type: string;
  [property: string]: unknown;
}

function* eventsOf(response: WireResponse): Generator<Event> {
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  yield { type: 'response.created', response: begun };
  yield { type: 'response.in_progress', response: begun };
  for (const [output_index, item] of response.output.entries()) {
    yield { type: 'response.output_item.added', output_index, item: beginningOf(item) };
    for (const event of partsOf(item)) yield { ...event, item_id: item.id, output_index };
    yield { type: 'response.output_item.done', output_index, item };
  }
  yield { type: 'response.completed', response };
}

function beginningOf(item: OutputItem): object {
  if (item.type === 'program') return item;
  const begun = { ...item, status: 'in_progress' };
  if (item.type === 'message') return { ...begun, content: [] };
  return item.type === 'function_call' ? { ...begun, arguments: '' } : begun;
}

function* partsOf(item: OutputItem): Generator<Event> {
  if (item.type === 'message') {
    for (const [content_index, part] of item.content.entries()) {
      yield { type: 'response.content_part.added', content_index, part: { ...part, text: '' } };
      for (const delta of pieces(part.text)) yield { type: 'response.output_text.delta', content_index, delta, logprobs: [] };
      yield { type: 'response.output_text.done', content_index, text: part.text, logprobs: [] };
      yield { type: 'response.content_part.done', content_index, part };
    }
  }
  if (item.type === 'function_call') {
    for (const delta of pieces(item.arguments)) yield { type: 'response.function_call_arguments.delta', delta };
    yield { type: 'response.function_call_arguments.done', name: item.name, arguments: item.arguments };
  }
}
