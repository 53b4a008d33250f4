/** Counts what a conversation costs at a model's provider: each turn reads the whole conversation so far. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens around each message in the wire of a model. */
const FRAME = 4;

export interface Cost {
  /** Turns of the model. */
  turns: number;
  /** Requests to the provider: it answers some without a turn of its model. */
  requests: number;
  /** Tokens that the model read, all turns together. */
  input: number;
  /** Those of them that it had not read in the turn before. */
  fresh: number;
  /** Tokens that the model wrote. */
  output: number;
}

export class Meter {
  readonly cost: Cost = { turns: 0, requests: 0, input: 0, fresh: 0, output: 0 };
  #context = 0;
  #read = 0;

  /** Adds texts that the next turn reads. */
  add(...texts: (string | object)[]): void {
    for (const text of texts) this.#context += tokensOf(text) + FRAME;
  }

  /** A turn of the model, which writes `text`. */
  turn(text: string | object): void {
    const written = tokensOf(text);
    this.cost.turns++;
    this.cost.requests++;
    this.cost.input += this.#context;
    this.cost.fresh += this.#context - this.#read;
    this.cost.output += written;
    this.#read = this.#context;
    this.#context += written + FRAME;
  }

  /** A request without a turn. */
  request(): void {
    this.cost.requests++;
  }
}

function tokensOf(text: string | object): number {
  return encode(typeof text === 'string' ? text : JSON.stringify(text)).length;
}
