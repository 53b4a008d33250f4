/**
 * The linter's findings about the toolkits of the catalogue, computed once for each change of a toolkit, its actions or the owner of its name.
 */
import type { ActionInfo } from '../../protocol/http';
import type { LintFinding } from '../../protocol/lint';
import type { ToolkitRecord } from '../store/store';
import { lintInCatalog } from './lint';
import { NameClaims } from './names/name-claims';

interface Linted {
  actions: readonly ActionInfo[];
  /** Actions of other toolkits that may be too much like these. */
  similar: readonly ActionInfo[];
}

export class ToolkitFindings {
  readonly #names = new NameClaims();
  readonly #byToolkit = new Map<string, LintFinding[]>();

  /** @param read called when they must be computed */
  of(toolkit: ToolkitRecord, read: () => Linted): LintFinding[] {
    const known = this.#byToolkit.get(toolkit.id);
    if (known) return known;
    const { actions, similar } = read();
    const findings = lintInCatalog({ ...toolkit, actions }, similar, this.#names);
    this.#byToolkit.set(toolkit.id, findings);
    return findings;
  }

  /** Returns other toolkits whose names look like another one no more, or from now on. */
  toolkitChanged(toolkit: ToolkitRecord): Set<string> {
    this.actionsChanged(toolkit.id);
    return this.#forget(this.#names.set(toolkit));
  }

  toolkitRemoved(toolkitId: string): Set<string> {
    this.actionsChanged(toolkitId);
    return this.#forget(this.#names.remove(toolkitId));
  }

  actionsChanged(toolkitId: string): void {
    this.#byToolkit.delete(toolkitId);
  }

  #forget(toolkitIds: Set<string>): Set<string> {
    for (const id of toolkitIds) this.#byToolkit.delete(id);
    return toolkitIds;
  }
}
