/** Writes a conversation for people, and counts what was really done in it. */
import type { ChatCompletionMessageParam, ChatCompletionMessageToolCall } from 'openai/resources/chat/completions';
import colors from 'picocolors';
import { parseJson } from '../../service/scripted-model/parse-json.ts';

const MAX_CHARS = 160;
/** Where texts begin, so that calls and results stand below each other. */
const INDENT = '     ';

interface ToolOutput {
  actions?: { action: string }[];
  error?: { code: string; message: string };
  /** The calls of a program. */
  calls?: number;
}

export class ConversationPrinter {
  searches = 0;
  invocations = 0;
  readonly #milliseconds: ReadonlyMap<string, number>;
  readonly #calls = new Map<string, string>();

  constructor(milliseconds: ReadonlyMap<string, number>) {
    this.#milliseconds = milliseconds;
  }

  question(number: number, text: string): void {
    console.log(`\n${colors.bold(`${number}  ${text}`)}\n`);
  }

  answer(text: string): void {
    console.log(`\n${INDENT}${colors.green(text.replaceAll('\n', `\n${INDENT}`))}`);
  }

  readonly message = (message: ChatCompletionMessageParam): void => {
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) this.#call(call);
    if (message.role === 'tool') this.#result(message.tool_call_id, String(message.content));
  };

  #call(call: ChatCompletionMessageToolCall): void {
    if (call.type !== 'function') return;
    this.#calls.set(call.id, call.function.name);
    console.log(`   ${colors.cyan('→')} ${colors.cyan(call.function.name)}  ${shorten(readable(call.function.arguments))}`);
  }

  #result(id: string, content: string): void {
    const { actions, error, calls = 0 }: ToolOutput = Object(parseJson(content));
    if (!error && this.#calls.get(id) === 'search_services' && actions?.length) this.searches += 1;
    if (!error && this.#calls.get(id) === 'invoke_service') this.invocations += 1;
    if (!error && this.#calls.get(id) === 'run_code') this.invocations += calls;
    const text = actions ? actions.map(({ action }) => action).join('  ') || 'nothing found' : shorten(content);
    const time = colors.dim(`${Math.max(1, Math.round(this.#milliseconds.get(id) ?? 0))} ms`);
    console.log(`   ${colors.dim('←')} ${error ? colors.red(text) : text}  ${time}`);
  }
}

/** The arguments of the two tools without the words that are always the same. Others, and what a model garbled, stay as they are. */
function readable(json: string): string {
  const { query, action, payload } = Object(parseJson(json));
  if (query !== undefined) return JSON.stringify(query);
  return action === undefined ? json : `${action}  ${JSON.stringify(payload)}`;
}

function shorten(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
