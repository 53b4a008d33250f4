/**
 * Stored conversations, for `previous_response_id`.
 *
 * Errors: RequestError, as the real server: for an unknown response, a call without its output, an output without its call, and a program's call
 *         without the program, or with an output that is not for it.
 */
import { RequestError } from '../wire.ts';
import type { Item } from './items.ts';
import type { ResponsesRequest } from './request.ts';

const MAX_KEPT = 100;
const kept = new Map<string, Item[]>();

export function remember(id: string, items: Item[]): void {
  kept.set(id, items);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest) kept.delete(oldest);
}

/** The whole conversation. */
export function withHistory({ previous_response_id: id, input }: ResponsesRequest): Item[] {
  const history = id ? kept.get(id) : [];
  if (!history) {
    throw new RequestError(400, `No response ${id} is kept`, { param: 'previous_response_id', code: 'previous_response_not_found' });
  }
  const items = [...history, ...input];
  refuseUnansweredCalls(items);
  refuseLostPrograms(items);
  return items;
}

function refuseLostPrograms(items: Item[]): void {
  const programs = new Set<string>();
  const callers = new Map<string, string>();
  for (const item of items) {
    if (item.type === 'program') programs.add(item.call_id);
    if (item.type !== 'function_call' && item.type !== 'function_call_output') continue;
    const { call_id, caller } = item;
    const sent = caller?.type === 'program' ? caller.caller_id : 'direct';
    if (item.type === 'function_call') callers.set(call_id, sent);
    else if (callers.get(call_id) !== sent)
      throw new RequestError(400, `The output of ${call_id} needs the caller of its call`, { param: 'input' });
    if (sent !== 'direct' && !programs.has(sent))
      throw new RequestError(400, `No program before ${call_id} has the id ${sent}`, { param: 'input' });
  }
}

const ANSWERS: Record<string, string> = { function_call_output: 'function_call', tool_search_output: 'tool_search_call' };

function refuseUnansweredCalls(items: Item[]): void {
  const open = new Set<string>();
  for (const item of items) {
    if (item.type === 'function_call' || item.type === 'tool_search_call') open.add(`${item.type} ${item.call_id}`);
    if (item.type !== 'function_call_output' && item.type !== 'tool_search_output') continue;
    if (!open.delete(`${ANSWERS[item.type]} ${item.call_id}`))
      throw new RequestError(400, `No ${ANSWERS[item.type]} before this ${item.type} has the id ${item.call_id}`, { param: 'input' });
  }
  if (open.size > 0) throw new RequestError(400, `These calls have no output: ${[...open].join(', ')}`, { param: 'input' });
}
