/**
 * Ids that the service would accept, made of a source's own names.
 *
 * Shape:  `<toolkit id>__<action name>`; a name that is taken gets a number, as toolkits get one from the service. Ids depend on which names
 *         are there and not on their order in the files.
 */
import { formatActionId, isToolkitId, MAX_ACTION_ID_CHARS, MAX_TOOLKIT_ID_CHARS, toToolkitId } from '../../src/protocol/ids.ts';

/** Names of one catalogue that are taken already. */
export class LegalIds {
  readonly #taken = new Set<string>();

  toolkit(name: string): string {
    // An id of the service's own export stays what it is.
    const id = isToolkitId(name) ? name : toToolkitId(name);
    return this.#free(id, '-', MAX_TOOLKIT_ID_CHARS);
  }

  /** @param toolkitId one that `toolkit` gave */
  action(toolkitId: string, name: string): string {
    const legal = name.replace(/[^A-Za-z0-9_-]+/g, '_');
    return this.#free(formatActionId(toolkitId, legal), '_', MAX_ACTION_ID_CHARS);
  }

  #free(wanted: string, joint: string, maxChars: number): string {
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `${joint}${number}`;
      const id = wanted.slice(0, maxChars - suffix.length).replace(/-$/, '') + suffix;
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }
}
