/**
 * Toolkits and their actions: in memory for every read, in the store for good. The hub knows which are online, the catalogue does not.
 *
 * Shape:  action id -> action. `payloadSchema` keeps its identity until the action changes, so that compiled checks can hang on it.
 */
import { SvcError } from '../../protocol/errors';
import type { RejectedAction } from '../../protocol/frames';
import type { ActionInfo } from '../../protocol/http';
import { ACTION_ID_SEPARATOR, actionNameProblem, formatActionId } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import type { LintFinding } from '../../protocol/lint';
import { actionRegistration } from '../../protocol/schemas';
import { Mutex } from '../lib/mutex';
import { parseOrThrow } from '../lib/parse';
import { cleanText } from '../payload/clean-text';
import { toPayloadSchema } from '../payload/payload-schema';
import type { ActionRecord, CatalogStore, ForeignChange, ToolkitRecord } from '../store/store';
import { actionInfo } from './action-info';
import { looksOnlyLike } from './names/skeletons';
import {
  type Explanation,
  MAX_WANTED_CHARS,
  nearestIds,
  type RankingOptions,
  type SearchDocument,
  SearchIndex,
  UsageIndex,
} from './search/index';
import { ToolkitFindings } from './toolkit-findings';

/** Comparing an id with every other one costs 2 µs each: in a larger catalogue only likely ones are compared. */
const MAX_COMPARED_IDS = 2_000;
/** Limits of the comparison with other toolkits: actions of the toolkit, and similar actions for each. */
const MAX_HELD_AGAINST_OTHERS = 100;
const MAX_NAMED_ALIKE = 5;

export class Catalog {
  readonly #store: CatalogStore;
  readonly #limits: Limits;
  readonly #toolkits = new Map<string, ToolkitRecord>();
  readonly #actions = new Map<string, ActionRecord>();
  readonly #actionIds = new Map<string, Set<string>>();
  readonly #index: SearchIndex;
  readonly #findings = new ToolkitFindings();
  /** Serialises reads and changes: rows that were read before a change must not replace it. */
  readonly #storeAccess = new Mutex();
  readonly #listeners: ((id: string) => void)[] = [];

  /** @param usage actions that agents used after past queries; the learning fills it */
  constructor(store: CatalogStore, limits: Limits, usage = new UsageIndex()) {
    this.#store = store;
    this.#limits = limits;
    this.#index = new SearchIndex(usage);
  }

  async load(): Promise<void> {
    await this.refresh('all');
  }

  /** Reads changes of other processes. A toolkit is created with its first key, maybe by another process. */
  async refresh(changed: ForeignChange['toolkits']): Promise<void> {
    await this.#storeAccess.run(() => this.#refresh(changed));
  }

  async #refresh(changed: ForeignChange['toolkits']): Promise<void> {
    const ids = typeof changed === 'string' ? undefined : changed;
    const toolkits = await this.#store.toolkits(ids);
    for (const toolkit of toolkits) this.#putToolkit(toolkit);
    if (changed === 'new') return;
    const there = new Set(toolkits.map(({ id }) => id));
    for (const id of ids ?? [...this.#toolkits.keys()]) if (!there.has(id)) this.#forgetToolkit(id);
    const stored = await this.#store.actions(ids);
    const kept = new Set(stored.map(({ toolkitId, name }) => formatActionId(toolkitId, name)));
    for (const action of stored) if (!same(action, this.#actions.get(formatActionId(action.toolkitId, action.name)))) this.#put(action);
    for (const id of (ids ?? [...this.#toolkits.keys()]).flatMap((toolkitId) => this.actionIds(toolkitId)))
      if (!kept.has(id)) this.#forget(id);
  }

  #putToolkit(toolkit: ToolkitRecord): void {
    const before = this.#toolkits.get(toolkit.id);
    if (before?.name === toolkit.name && before.description === toolkit.description && before.namedAt === toolkit.namedAt) return;
    this.#toolkits.set(toolkit.id, toolkit);
    this.#findings.toolkitChanged(toolkit);
    if (before) for (const id of this.actionIds(toolkit.id)) this.#indexAction(id);
    else this.#actionIds.set(toolkit.id, new Set());
  }

  toolkit(id: string): ToolkitRecord | undefined {
    return this.#toolkits.get(id);
  }

  /** Toolkits in the order of their ids. */
  toolkits(): ToolkitRecord[] {
    return [...this.#toolkits.values()].sort((a, b) => compare(a.id, b.id));
  }

  action(id: string): ActionRecord | undefined {
    return this.#actions.get(id);
  }

  /** Whether the action's toolkit declares that a second run changes nothing more. */
  mayRepeat(id: string): boolean {
    const { readOnly = false, idempotent = false } = this.#actions.get(id)?.annotations ?? {};
    return readOnly || idempotent;
  }

  /** Actions in the order of their ids. */
  actionIds(toolkitId?: string): string[] {
    return [...(toolkitId === undefined ? this.#actions.keys() : (this.#actionIds.get(toolkitId) ?? []))].sort(compare);
  }

  actionCount(toolkitId: string): number {
    return this.#actionIds.get(toolkitId)?.size ?? 0;
  }

  /** An action with what its toolkit says of itself: all that it is found by. */
  document(id: string): SearchDocument | undefined {
    return this.#actions.has(id) ? this.#document(id) : undefined;
  }

  /** Calls back with the id of each action whose document is new, another or gone from now on. */
  onChange(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Action ids, best first. */
  search(query: string, options: RankingOptions): string[] {
    return this.#index.search(query, options);
  }

  /** Why a query finds an action, or does not. Throws ACTION_NOT_FOUND. */
  explain(query: string, id: string, options: Required<RankingOptions>): Explanation {
    this.requireAction(id, options.accept);
    return this.#index.explain(query, this.#document(id), options);
  }

  /** Throws ACTION_NOT_FOUND with the nearest ids that the caller may use. */
  requireAction(id: string, allowed: (id: string) => boolean): ActionRecord {
    const action = this.#actions.get(id);
    if (action) return action;
    const didYouMean = this.#nearest(id, allowed);
    throw new SvcError(
      'ACTION_NOT_FOUND',
      `There is no action "${id.slice(0, 100)}"; use an id that search_services gave`,
      didYouMean.length > 0 ? { didYouMean } : {},
    );
  }

  #nearest(id: string, allowed: (id: string) => boolean): string[] {
    if (this.#actions.size <= MAX_COMPARED_IDS) return nearestIds(id, [...this.#actions.keys()].filter(allowed));
    const sameToolkit = this.actionIds(id.split(ACTION_ID_SEPARATOR, 1)[0]).slice(0, MAX_COMPARED_IDS).filter(allowed);
    return nearestIds(id, new Set([...sameToolkit, ...this.#index.search(id.slice(0, MAX_WANTED_CHARS), { limit: 100, accept: allowed })]));
  }

  async updateToolkit(toolkitId: string, details: { name?: string; description?: string }): Promise<ToolkitRecord> {
    if (!this.#toolkits.has(toolkitId)) await this.refresh('new');
    const before = this.#requireToolkit(toolkitId);
    const name = details.name === undefined ? before.name : this.#cleanName(details.name);
    const description =
      details.description === undefined
        ? before.description
        : this.#cleanDescription('toolkit description', details.description, 'INVALID_REQUEST');
    if (name === before.name && description === before.description) return before;
    const toolkit = { ...before, name, description, ...(!looksOnlyLike(name, before.name) && { namedAt: Date.now() }) };
    await this.#storeAccess.run(async () => {
      await this.#store.updateToolkit(toolkit);
      this.#putToolkit(toolkit);
    });
    return toolkit;
  }

  /** The caller revokes its keys in the key ring first. */
  async removeToolkit(id: string): Promise<void> {
    await this.#storeAccess.run(async () => {
      await this.#store.removeToolkit(id, Date.now());
      this.#forgetToolkit(id);
    });
  }

  async register(
    toolkitId: string,
    registration: { toolkit?: { name?: string; description?: string }; actions: unknown[] },
    offeredElsewhere: (actionName: string) => boolean,
  ): Promise<{ toolkit: ToolkitRecord; accepted: string[]; rejected: RejectedAction[]; findings: LintFinding[] }> {
    const { actionsPerToolkit } = this.#limits;
    if (registration.actions.length > actionsPerToolkit) {
      const message = `${registration.actions.length} actions are more than the ${actionsPerToolkit} that one toolkit may have; split it, or raise the limit actionsPerToolkit`;
      throw new SvcError('INVALID_ACTION', message);
    }
    const toolkit = await this.updateToolkit(toolkitId, registration.toolkit ?? {});
    const { actions, rejected } = this.#readActions(toolkitId, registration.actions);
    const upsert = [...actions.values()].filter((action) => !same(action, this.#actions.get(formatActionId(toolkitId, action.name))));
    const remove = this.actionIds(toolkitId)
      .map((id) => this.#requireKnown(id).name)
      .filter((name) => !actions.has(name) && !offeredElsewhere(name));
    if (upsert.length > 0 || remove.length > 0)
      await this.#storeAccess.run(async () => {
        await this.#store.changeActions(toolkitId, { upsert, remove });
        for (const action of upsert) this.#put(action);
        for (const name of remove) this.#forget(formatActionId(toolkitId, name));
      });
    const accepted = [...actions.keys()].map((name) => formatActionId(toolkitId, name));
    return { toolkit, accepted, rejected, findings: this.findings(toolkit) };
  }

  /** The linter's findings about a toolkit of this catalogue, computed once for each change: a toolkit that only reconnects costs nothing. */
  findings(toolkit: ToolkitRecord): LintFinding[] {
    return this.#findings.of(toolkit, () => {
      const actions = this.actionIds(toolkit.id).map((id) => actionInfo(id, this.#requireKnown(id)));
      return { actions, similar: this.#similarElsewhere(toolkit.id, actions) };
    });
  }

  #similarElsewhere(toolkitId: string, actions: readonly ActionInfo[]): ActionInfo[] {
    const accept = (id: string) => this.#requireKnown(id).toolkitId !== toolkitId;
    const names = actions.slice(0, MAX_HELD_AGAINST_OTHERS).map(({ action }) => this.#requireKnown(action).name);
    const ids = new Set(names.flatMap((name) => this.#index.alike(name, { limit: MAX_NAMED_ALIKE, accept })));
    return Array.from(ids, (id) => actionInfo(id, this.#requireKnown(id)));
  }

  #readActions(toolkitId: string, registrations: unknown[]): { actions: Map<string, ActionRecord>; rejected: RejectedAction[] } {
    const actions = new Map<string, ActionRecord>();
    const rejected: RejectedAction[] = [];
    for (const registration of registrations) {
      try {
        const action = this.#readAction(toolkitId, registration);
        if (actions.has(action.name))
          throw new SvcError('INVALID_ACTION', `Action "${action.name}" is registered twice; names are unique within a toolkit`);
        actions.set(action.name, action);
      } catch (error) {
        if (!SvcError.is(error)) throw error;
        rejected.push({ action: nameOf(registration), message: error.message });
      }
    }
    return { actions, rejected };
  }

  #readAction(toolkitId: string, registration: unknown): ActionRecord {
    const problem = actionNameProblem((registration as { action?: unknown }).action, toolkitId);
    if (problem) throw new SvcError('INVALID_ACTION', problem);
    const {
      action: name,
      actionDescription,
      payloadDescription,
      annotations = {},
    } = parseOrThrow(actionRegistration, registration, 'action');
    const description = this.#cleanDescription(`description of action "${name}"`, actionDescription, 'INVALID_ACTION');
    if (description === '')
      throw new SvcError('INVALID_ACTION', `Action "${name}" has no description; say what it does in plain words, models choose by it`);
    return { toolkitId, name, description, payloadSchema: toPayloadSchema(payloadDescription, this.#limits), annotations };
  }

  #put(action: ActionRecord): void {
    const id = formatActionId(action.toolkitId, action.name);
    this.#actions.set(id, action);
    this.#actionIds.get(action.toolkitId)?.add(id);
    this.#indexAction(id);
  }

  #indexAction(id: string): void {
    this.#index.upsert(this.#document(id));
    this.#changed(id);
  }

  #changed(id: string): void {
    this.#findings.actionsChanged(id.split(ACTION_ID_SEPARATOR, 1)[0] ?? '');
    for (const listener of this.#listeners) listener(id);
  }

  #document(id: string): SearchDocument {
    const { toolkitId, name, description, payloadSchema } = this.#requireKnown(id);
    const toolkit = this.#requireToolkit(toolkitId);
    return { id, toolkitId, toolkitName: toolkit.name, toolkitDescription: toolkit.description, name, description, payloadSchema };
  }

  #forget(id: string): void {
    const action = this.#actions.get(id);
    if (!action) return;
    this.#actionIds.get(action.toolkitId)?.delete(id);
    this.#actions.delete(id);
    this.#index.remove(id);
    this.#changed(id);
  }

  #forgetToolkit(id: string): void {
    for (const actionId of this.actionIds(id)) this.#forget(actionId);
    this.#actionIds.delete(id);
    this.#toolkits.delete(id);
    this.#findings.toolkitRemoved(id);
  }

  #requireKnown(id: string): ActionRecord {
    return this.requireAction(id, () => true);
  }

  #requireToolkit(id: string): ToolkitRecord {
    const toolkit = this.#toolkits.get(id);
    if (!toolkit) throw new SvcError('TOOLKIT_NOT_FOUND', `There is no toolkit "${id}"`);
    return toolkit;
  }

  #cleanName(name: string): string {
    const clean = cleanText(name, { what: 'toolkit name', maxChars: this.#limits.toolkitNameChars, code: 'INVALID_REQUEST' });
    if (clean === '') throw new SvcError('INVALID_REQUEST', 'A toolkit name needs at least one visible character');
    return clean;
  }

  #cleanDescription(what: string, text: string, code: 'INVALID_ACTION' | 'INVALID_REQUEST'): string {
    return cleanText(text, { what, maxChars: this.#limits.descriptionChars, code });
  }
}

/** Not `localeCompare`: the order must be the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function nameOf(registration: unknown): string {
  const name = (registration as { action?: unknown }).action;
  return typeof name === 'object' ? 'an object' : String(name).slice(0, 100);
}

function same(a: ActionRecord, b: ActionRecord | undefined): boolean {
  return (
    b !== undefined &&
    a.description === b.description &&
    JSON.stringify(a.payloadSchema) === JSON.stringify(b.payloadSchema) &&
    JSON.stringify(a.annotations) === JSON.stringify(b.annotations)
  );
}
