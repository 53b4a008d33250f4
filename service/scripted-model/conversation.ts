/** The conversation as a script sees it: the last question, and what the tools have said since. The same for every wire. */
import { parseJson } from './parse-json.ts';

export interface Exchange {
  id: string;
  tool: string;
  /** Empty when the arguments are not a JSON object. */
  input: Record<string, unknown>;
  /** Parsed when it is JSON; undefined until the tool has answered. */
  output: unknown;
}

export interface OfferedTool {
  name: string;
  description?: string | undefined;
  parameters?: unknown;
}

export interface Conversation {
  question: string;
  /** One entry for every time the model has spoken since the question; each with the calls that it made then. */
  turns: Exchange[][];
  /** Tools that may be called. */
  offered: OfferedTool[];
}

/** A call as it is on a wire, before its output is found. */
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
