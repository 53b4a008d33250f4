/**
 * The list of a toolkit's actions, as sent to the service. A short list is sent inside `register`. A long list has a name: it is sent once,
 * in frames that the service parses quickly, and later only its changes are sent.
 *
 * Source: docs/protocol.md section 6, "Long lists".
 */
import { sha256 } from '../protocol/sha256';
import type { Action } from './action-definition';

/** Characters that the service parses in about a millisecond. */
const MAX_FRAME_CHARS = 64 * 1024;

export class ActionList {
  /** Action name -> the text of its registration. */
  readonly #texts: ReadonlyMap<string, string>;
  /** The JSON array of all registrations. */
  readonly json: string;
  /** Equal for equal lists, across processes too where SHA-256 is available. */
  readonly id: string;
  /** The list fits into one frame. */
  readonly isShort: boolean;

  constructor(actions: Iterable<Action>) {
    this.#texts = new Map(Array.from(actions, ({ name, registrationJson }) => [name, registrationJson]));
    this.json = `[${[...this.#texts.values()].join(',')}]`;
    this.isShort = this.json.length <= MAX_FRAME_CHARS;
    this.id = sha256(this.json) ?? crypto.randomUUID();
  }

  get size(): number {
    return this.#texts.size;
  }

  /** JSON arrays, each for one frame, of the actions that are new or changed since `base`; without `base`, of all. */
  partsSince(base?: ActionList): string[] {
    const parts: string[][] = [];
    let room = 0;
    for (const [name, text] of this.#texts) {
      if (base && base.#texts.get(name) === text) continue;
      if (room < text.length) {
        parts.push([]);
        room = MAX_FRAME_CHARS;
      }
      parts.at(-1)?.push(text);
      room -= text.length + 1;
    }
    return parts.map((texts) => `[${texts.join(',')}]`);
  }

  /** Names that only `base` has. */
  removedSince(base: ActionList): string[] {
    return [...base.#texts.keys()].filter((name) => !this.#texts.has(name));
  }
}
