/**
 * The linter's findings about the toolkits of the catalogue, computed once for each change of a toolkit, its actions or the owner of its name.
 */
import type { ActionInfo } from '#sdk/protocol/http';
import type { LintFinding } from '#sdk/protocol/lint';
import type { EventLoopBudget } from '../lib/event-loop-budget';
import { runAtOnce, runWithin, type Steps } from '../lib/steps';
import type { ToolkitRecord } from '../store/store';
import { type LintedAction, lintInCatalog } from './lint';
import { NameClaims } from './names/name-claims';

export interface Linted {
  actions: readonly LintedAction[];
  /** Actions of other toolkits that may be too much like these. */
  similar: readonly ActionInfo[];
}

export class ToolkitFindings {
  readonly #names = new NameClaims();
  readonly #byToolkit = new Map<string, LintFinding[]>();
  #changes = 0;

  /** @param read called when they must be computed */
  of(toolkit: ToolkitRecord, read: () => Linted): LintFinding[] {
    return this.#byToolkit.get(toolkit.id) ?? this.#keep(toolkit.id, runAtOnce(this.#lint(toolkit, read())));
  }

  /** The same in steps. A change meanwhile makes them again for the next caller. */
  async within(budget: EventLoopBudget, toolkit: ToolkitRecord, read: () => Linted): Promise<LintFinding[]> {
    const known = this.#byToolkit.get(toolkit.id);
    if (known) return known;
    const changes = this.#changes;
    const findings = await runWithin(budget, this.#lint(toolkit, read()));
    return changes === this.#changes ? this.#keep(toolkit.id, findings) : findings;
  }

  #lint(toolkit: ToolkitRecord, { actions, similar }: Linted): Steps<LintFinding[]> {
    return lintInCatalog({ ...toolkit, actions }, similar, this.#names);
  }

  #keep(toolkitId: string, findings: LintFinding[]): LintFinding[] {
    this.#byToolkit.set(toolkitId, findings);
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
    this.#changes++;
    this.#byToolkit.delete(toolkitId);
  }

  #forget(toolkitIds: Set<string>): Set<string> {
    for (const id of toolkitIds) this.#byToolkit.delete(id);
    return toolkitIds;
  }
}
