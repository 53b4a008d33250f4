/** The conversation as the input of a script: the last question and the later results of the tools. Every wire has the same input. */
import { parseJson } from './parse-json.ts';

export interface Exchange {
  id: string;
  tool: string;
  /** Empty when the arguments are not a JSON object. */
  input: Record<string, unknown>;
  /** Parsed if it is JSON; undefined until the tool has returned. */
  output: unknown;
}

export interface OfferedTool {
  name: string;
  description?: string | undefined;
  parameters?: unknown;
}

export interface Conversation {
  question: string;
  /** One entry for each turn of the model since the question, with the calls of that turn. */
  turns: Exchange[][];
  /** Callable tools. */
  offered: OfferedTool[];
}

/** A call in the form of a wire, before its output is found. */
export interface CalledTool {
  id: string;
  tool: string;
  /** An object, or JSON text. */
  input: unknown;
}

export function toExchange({ id, tool, input }: CalledTool, outputs: ReadonlyMap<string, string>): Exchange {
  const output = outputs.get(id);
  return { id, tool, input: toObject(typeof input === 'string' ? parseJson(input) : input), output: output && parseJson(output) };
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
