/** One turn of a model, in the shapes of chat completions. */
export interface ModelCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | ContentPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: ModelCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** Tokens. */
export interface TurnUsage {
  input: number;
  cached: number;
  output: number;
}

export interface ModelTurn {
  text: string;
  calls: ModelCall[];
  /** Undefined where the model reports none. */
  usage: TurnUsage | undefined;
}

interface ToolOffer {
  type: 'function';
  function: { name: string; description: string; parameters: object };
}

export interface TurnRequest {
  messages: readonly ModelMessage[];
  tools: readonly ToolOffer[];
}

export interface TurnOptions {
  signal: AbortSignal;
  /** Called with each new piece of the text. */
  onText: (piece: string) => void;
}

/** The model gave no whole turn. The message is for people and says what to change. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
}
