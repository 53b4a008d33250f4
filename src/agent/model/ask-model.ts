/** The interface of a language model for an agent. */
import type { ChatCompletionTool } from 'svc-sdk';
import type { Message } from '../chat/message';

export interface ModelRequest {
  /** The id from `getModel`, such as `openai/gpt-5-mini`. */
  model: string;
  /** The system prompt, the history and the messages of this turn. */
  messages: readonly Message[];
  /** Empty if the model must answer with text. */
  tools: readonly ChatCompletionTool[];
  /** Aborted when the turn ends early. */
  signal: AbortSignal;
  /** Present if the agent shows partial text. Called with the whole text so far. */
  onText?: (text: string) => void;
}

/** Tokens as the model's server counted them. */
export interface TokenCount {
  input: number;
  output: number;
}

/** The assistant's message, alone or with its token count. */
export type ModelAnswer = Message | { message: Message; tokens: TokenCount };

/**
 * Sends one request to a model, without retries.
 *
 * @throws ModelRequestError, whose fields decide about a retry. In an error of another class, a number `status` or `statusCode` is the HTTP
 *         status of the model's server; any other error ends the turn
 */
export type AskModel = (request: ModelRequest) => Promise<ModelAnswer>;
