/**
 * The answers to the calls of one run, so that a program which begins again gets them a second time and the host is asked once.
 *
 * Shape: kind, action, canonical payload and number -> the answer, or the promise of it.
 */
import { hash } from 'node:crypto';
import { isNestedTooDeep } from '#sdk/protocol/json-depth';
import { canonicalJson } from '../lib/canonical-json';
import type { ProgramCallMessage } from './messages';
import type { ProgramAnswer, ProgramCall } from './program';

export type Ask = (call: ProgramCall) => Promise<ProgramAnswer | 'waits'>;

export class AnswerBook {
  readonly #ask: Ask;
  readonly #answers = new Map<string, Promise<ProgramAnswer | 'waits'>>();
  /** Digest of a call -> how often the current attempt has made it. */
  #made = new Map<string, number>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  beginAgain(): void {
    this.#made = new Map();
  }

  answer({ kind, action, payloadJson }: Omit<ProgramCallMessage, 'type' | 'attempt' | 'call'>): Promise<ProgramAnswer | 'waits'> {
    const digest = digestOf(kind, action, payloadJson);
    if (digest === undefined) return Promise.resolve(NOT_JSON);
    const nth = (this.#made.get(digest) ?? 0) + 1;
    this.#made.set(digest, nth);
    const key = `${digest}/${nth}`;
    const known = this.#answers.get(key);
    if (known) return known;
    const asked = this.#ask({ kind, action, payloadJson, digest, nth });
    this.#answers.set(key, asked);
    return asked;
  }
}

const NOT_JSON: ProgramAnswer = {
  ok: false,
  errorJson: JSON.stringify({ code: 'INVALID_PAYLOAD', message: 'The payload is not JSON, or is nested too deep. Send flatter JSON.' }),
};

function digestOf(kind: string, action: string, payloadJson: string): string | undefined {
  if (isNestedTooDeep(payloadJson)) return undefined;
  try {
    return hash('sha256', canonicalJson([kind, action, JSON.parse(payloadJson)]), 'base64url');
  } catch {
    return undefined;
  }
}
