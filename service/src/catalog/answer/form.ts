/**
 * One way to show an action: its JSON and what that costs.
 *
 * Units:  tokens as `estimateTokens` counts them, of the JSON with the separator after it.
 */

import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import type { FoundAction, MoreAction } from '#sdk/protocol/http';

/** Ids hold names of products and people, which take more tokens than words. */
const EXTRA_FOR_ID = 0.25;
/** Longer texts are rarely shown, and would fill the memory. */
const MAX_KEPT_CHARS = 4_000;

export class Form<Info extends FoundAction | MoreAction> {
  readonly info: Info;
  readonly tokens: number;
  readonly #json: string | undefined;

  constructor(info: Info) {
    const json = JSON.stringify(info);
    this.info = info;
    this.tokens = estimateTokens(json) + Math.ceil(EXTRA_FOR_ID * estimateTokens(info.action)) + 1;
    this.#json = json.length <= MAX_KEPT_CHARS ? json : undefined;
  }

  /** JSON text of `info`. */
  get json(): string {
    return this.#json ?? JSON.stringify(this.info);
  }
}
