import { randomInt } from 'node:crypto';

/** The model's name on every wire. */
export const MODEL = 'scripted-model';

/** The model's next turn: a text, or its tool calls. An empty text with the end of a program is left out: the Responses API may send the end alone. */
export type Speech = ({ content: string } | { calls: SpokenCall[] }) & Programs;

interface Programs {
  /** The program that makes these calls. With `code`, it begins here. */
  program?: { id: string; code?: string };
  /** Id of the program that ends here, and what it prints. */
  ended?: { id: string; result: string };
}

export interface SpokenCall {
  name: string;
  /** A text is sent unchanged: models also write invalid JSON. */
  arguments: Record<string, unknown> | string;
  /** Default: generated. */
  id?: string;
}

export function argumentsText({ arguments: input }: SpokenCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Cuts before spaces and inside JSON strings, as tokens do; a very long text into larger pieces. */
export function pieces(text: string): string[] {
  return text.match(text.length < 10_000 ? /\s?\S{1,6}|\s/g : /[\s\S]{1,5000}/g) ?? [];
}

/** A script has no tokens; English has about one per four characters. */
export function countTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value ?? '').length / 4);
}
