import { raw } from 'hono/html';
import { sha256Hex } from '../lib/sha256-hex';
import { renderMarkdown } from '../markdown/markdown';
import type { Html } from './document';

const MAX_KEPT = 200;

/** READMEs as HTML, rendered once for each text: a large one takes some 50 ms. Keeps the last ones that were read. */
export class Readmes {
  readonly #kept = new Map<string, string>();

  render(text: string): Html {
    const hash = sha256Hex(text);
    const rendered = this.#kept.get(hash) ?? renderMarkdown(text);
    // The end of the Map is the newest.
    this.#kept.delete(hash);
    this.#kept.set(hash, rendered);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return raw(rendered);
  }
}
