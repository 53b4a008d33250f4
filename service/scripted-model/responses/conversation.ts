import { type CalledTool, type Conversation, type Exchange, type OfferedTool, toExchange } from '../conversation.ts';
import type { Item } from './items.ts';
import type { OfferedResponsesTool } from './request.ts';

/** A client-side search is a call of `tool_search` with the output `{tools}`; the found tools are callable afterwards. */
export function readConversation(items: Item[], tools: OfferedResponsesTool[]): Conversation {
  const asked = items.findLastIndex((item) => item.type === 'message' && item.role === 'user');
  const question = items[asked];
  const found = items.flatMap((item) => (item.type === 'tool_search_output' ? item.tools : []));
  return {
    question: question?.type === 'message' ? textOf(question.content) : '',
    turns: readTurns(items.slice(asked + 1)),
    offered: [...tools.filter((tool) => tool.type !== 'programmatic_tool_calling'), ...found].map(toOffered),
  };
}

const SPOKEN: ReadonlySet<string> = new Set(['reasoning', 'program', 'program_output']);

/** All items of the model up to the next input are one turn. */
function readTurns(items: Item[]): Exchange[][] {
  const outputs = new Map(items.flatMap(toOutput));
  const turns: Exchange[][] = [];
  let speaking = false;
  for (const item of items) {
    const called = toCalled(item);
    const isSpoken = item.type === 'message' ? item.role === 'assistant' : SPOKEN.has(item.type);
    const spoken = called !== undefined || isSpoken;
    if (spoken && !speaking) turns.push([]);
    if (called) turns.at(-1)?.push(toExchange(called, outputs));
    speaking = spoken;
  }
  return turns;
}

function toCalled(item: Item): CalledTool | undefined {
  if (item.type === 'function_call') return { id: item.call_id, tool: item.name, input: item.arguments };
  if (item.type === 'tool_search_call') return { id: item.call_id, tool: item.type.replace('_call', ''), input: item.arguments };
  return undefined;
}

function toOutput(item: Item): [id: string, text: string][] {
  if (item.type === 'function_call_output') return [[item.call_id, textOf(item.output)]];
  if (item.type === 'tool_search_output') return [[item.call_id, JSON.stringify({ tools: item.tools })]];
  return [];
}

function toOffered(tool: Exclude<OfferedResponsesTool, { type: 'programmatic_tool_calling' }>): OfferedTool {
  return {
    name: tool.type === 'function' ? tool.name : tool.type,
    description: tool.description ?? undefined,
    parameters: tool.parameters ?? undefined,
  };
}

function textOf(content: string | ({ text: string } | { type: string })[]): string {
  return typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('');
}
