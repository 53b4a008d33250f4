/**
 * Toolkits and their actions: in memory for every read, in the store for good. The hub has the state of their connections, the catalogue does not.
 *
 * Shape:  action id -> action. `payloadSchema` keeps its identity until the action changes, so that compiled checks can hang on it.
 */
import { readsResources } from '#sdk/protocol/action-meta';
import { SvcError } from '#sdk/protocol/errors';
import type { ToolkitDetails } from '#sdk/protocol/frames';
import type { ActionInfo, ResultMisfit } from '#sdk/protocol/http';
import { ACTION_ID_SEPARATOR, formatActionId } from '#sdk/protocol/ids';
import type { Limits } from '#sdk/protocol/limits';
import type { LintFinding } from '#sdk/protocol/lint';
import { EventLoopBudget } from '../lib/event-loop-budget';
import { Mutex } from '../lib/mutex';
import { cleanText } from '../payload/clean-text';
import type { ActionRecord, CatalogStore, ForeignChange, RejectionRecord, ToolkitRecord } from '../store/store';
import type { ToolkitProfileRecord } from '../store/toolkit-profile-store';
import { actionInfo } from './action-info';
import { looksOnlyLike } from './names/skeletons';
import { type ReadActions, readActions } from './read-actions';
import type { ResultMisfits } from './results/result-misfits';
import { type ActionReviews, type ListedAction, noReviews, refuseHeld } from './review/action-reviews';
import { reviewHash, reviewText } from './review/review-text';
import { isSameAction } from './same-action';
import {
  type Explanation,
  MAX_WANTED_CHARS,
  type MeaningOptions,
  nearestIds,
  type RankingOptions,
  type RankWeights,
  type SearchDocument,
  SearchIndex,
  type UsageIndex,
} from './search/index';
import type { Linted } from './toolkit-findings';
import type { ToolkitProfiles } from './toolkit-profiles';
import { requireFewActions, requireToolkitFits } from './toolkit-size';

/** Comparing an id with every other one costs 2 µs each: in a larger catalogue only likely ones are compared. */
const MAX_COMPARED_IDS = 2_000;
/** Limits of the comparison with other toolkits: actions of the toolkit, and similar actions for each. */
const MAX_HELD_AGAINST_OTHERS = 100;
const MAX_NAMED_ALIKE = 5;

/** Actions of one toolkit; those to remove by name. */
interface ActionsChange {
  upsert: ActionRecord[];
  remove: string[];
}

interface DetailsChange {
  toolkit: ToolkitRecord;
  before: ToolkitRecord;
  profile: ToolkitProfileRecord | undefined;
}

const NO_CHANGE: ActionsChange = { upsert: [], remove: [] };

export interface CatalogOptions {
  limits: Limits;
  /** The currency of every price. */
  currency: string;
  /** Actions that agents used after past queries; the learning fills it. */
  usage?: UsageIndex;
  /** Default: the built-in ones. */
  rankWeights?: RankWeights;
  reviews?: ActionReviews;
  misfits?: Pick<ResultMisfits, 'of'> | undefined;
  profiles: ToolkitProfiles;
}

export interface ReviewTexts {
  /** Canonical JSON. */
  text: string;
  hash: string;
  approved: boolean;
}

export class Catalog {
  /** The share of an event-loop turn for registrations, whose length a toolkit decides. */
  readonly budget = new EventLoopBudget();
  readonly #store: CatalogStore;
  readonly #options: Pick<CatalogOptions, 'limits' | 'currency' | 'misfits' | 'profiles'>;
  readonly #toolkits = new Map<string, ToolkitRecord>();
  readonly #actions = new Map<string, ListedAction>();
  readonly #actionIds = new Map<string, Set<string>>();
  readonly #index: SearchIndex;
  readonly #reviews: ActionReviews;
  /** Serialises reads and changes: rows that were read before a change must not replace it. */
  readonly #storeAccess = new Mutex();
  readonly #listeners: ((id: string) => void)[] = [];

  constructor(store: CatalogStore, { limits, currency, usage, rankWeights, reviews = noReviews(), misfits, profiles }: CatalogOptions) {
    this.#store = store;
    this.#options = { limits, currency, misfits, profiles };
    this.#reviews = reviews;
    this.#index = new SearchIndex(usage, rankWeights);
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
    if (changed !== 'new') {
      this.#reviews.load(ids, await this.#store.approvals(ids));
      this.#reviews.loadRejections(ids, await this.#store.rejections(ids));
    }
    const toolkits = await this.#store.toolkits(ids);
    if (changed === 'new') {
      for (const toolkit of toolkits) await this.#apply(toolkit, NO_CHANGE);
      return;
    }
    const there = new Set(toolkits.map(({ id }) => id));
    for (const id of ids ?? [...this.#toolkits.keys()]) if (!there.has(id)) await this.#forgetToolkit(id);
    const stored = Map.groupBy(await this.#store.actions(ids), ({ toolkitId }) => toolkitId);
    for (const toolkit of toolkits) {
      const actions = new Map(stored.get(toolkit.id)?.map((action) => [action.name, action]));
      await this.#apply(toolkit, await this.#changeOf(toolkit.id, actions, () => false));
    }
  }

  toolkit(id: string): ToolkitRecord | undefined {
    return this.#toolkits.get(id);
  }

  /** Toolkits in the order of their ids. */
  toolkits(): ToolkitRecord[] {
    return [...this.#toolkits.values()].sort((a, b) => compare(a.id, b.id));
  }

  action(id: string): ListedAction | undefined {
    return this.#actions.get(id);
  }

  /** Whether the action waits for an owner's approval. */
  isHeld(id: string): boolean {
    return this.#actions.get(id)?.held !== undefined;
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

  /** Calls `listener` with the id of each action whose document is added, changed or removed from now on. */
  onChange(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Action ids, best first. */
  search(query: string, options: MeaningOptions): string[] {
    return this.#index.search(query, this.#onlyKnown(options));
  }

  /** Why a query finds an action, or does not. Throws ACTION_NOT_FOUND. */
  explain(query: string, id: string, options: Required<RankingOptions> & MeaningOptions): Explanation {
    this.requireAction(id, options.accept);
    return this.#index.explain(query, this.#document(id), this.#onlyKnown(options));
  }

  /**
   * Returns an action for a caller who may use a part of the catalogue. Beyond that part the error does not show whether the action exists.
   *
   * @param mayFind whether the error may name the action
   * @throws SvcError ACTION_NOT_ALLOWED or ACTION_NOT_FOUND, with the nearest ids that the caller may find
   */
  requireAllowed(id: string, allowed: (id: string) => boolean, mayFind = allowed): ActionRecord {
    if (allowed(id) && !readsResources(this.#actions.get(id))) return refuseHeld(id, this.requireAction(id, mayFind));
    const message = `This key may not use "${id.slice(0, 100)}"; ask the person who issued the key, or search for another action`;
    throw new SvcError('ACTION_NOT_ALLOWED', message, this.#suggestions(id, mayFind));
  }

  /** Throws ACTION_NOT_FOUND with the nearest ids that the caller may find. */
  requireAction(id: string, mayFind: (id: string) => boolean): ListedAction {
    const action = this.#actions.get(id);
    if (action) return action;
    const message = `There is no action "${id.slice(0, 100)}"; use an id that search_services gave`;
    throw new SvcError('ACTION_NOT_FOUND', message, this.#suggestions(id, mayFind));
  }

  #suggestions(id: string, mayFind: (id: string) => boolean): { didYouMean?: string[] } {
    const didYouMean = this.#nearest(id, (other) => mayFind(other) && !this.isHeld(other));
    return didYouMean.length > 0 ? { didYouMean } : {};
  }

  #nearest(id: string, allowed: (id: string) => boolean): string[] {
    if (this.#actions.size <= MAX_COMPARED_IDS) return nearestIds(id, [...this.#actions.keys()].filter(allowed));
    const sameToolkit = this.actionIds(id.split(ACTION_ID_SEPARATOR, 1)[0]).slice(0, MAX_COMPARED_IDS).filter(allowed);
    return nearestIds(id, new Set([...sameToolkit, ...this.search(id.slice(0, MAX_WANTED_CHARS), { limit: 100, accept: allowed })]));
  }

  /** @param beforeChange called before anything changes, and only then; the change does not happen when it rejects */
  async updateToolkit(toolkitId: string, details: ToolkitDetails, beforeChange = async () => {}, keyId = ''): Promise<ToolkitRecord> {
    const before = await this.#knownToolkit(toolkitId);
    const toolkit = this.#withDetails(before, details);
    const profile = await this.#options.profiles.changed(toolkitId, details);
    if (toolkit !== before || profile) {
      const own = this.#actionsOf(toolkitId);
      await requireToolkitFits(toolkit, { own, others: [] }, { limits: this.#options.limits, budget: this.budget });
      await beforeChange();
      await this.#change({ toolkit, before, profile }, NO_CHANGE, keyId);
    }
    return toolkit;
  }

  /** The caller revokes its keys in the key ring first. */
  async removeToolkit(id: string): Promise<void> {
    await this.#storeAccess.run(async () => {
      await this.#store.removeToolkit(id, Date.now());
      await this.#forgetToolkit(id);
    });
  }

  /** Reads a list of a toolkit, or the next part of one, in steps within the budget. */
  async readActions(toolkitId: string, registrations: readonly unknown[], before?: ReadActions): Promise<ReadActions> {
    const { limits, currency } = this.#options;
    const earlier = before ? before.actions.size + before.rejected.length : 0;
    requireFewActions(earlier + registrations.length, limits);
    const read = await readActions(toolkitId, registrations, {
      limits,
      budget: this.budget,
      currency,
      before,
      known: (name) => this.#actions.get(formatActionId(toolkitId, name)),
    });
    const toolkit = await this.#knownToolkit(toolkitId);
    await requireToolkitFits(toolkit, { own: [...read.actions.values()], others: [] }, { limits, budget: this.budget });
    return read;
  }

  /**
   * Stores and indexes a registration in steps within the budget. Searches and calls see the former actions until all new ones are indexed.
   *
   * @param offeredElsewhere whether another process of the toolkit offers the action
   * @param beforeChange as for `updateToolkit`
   */
  async register(
    toolkitId: string,
    registration: { toolkit?: ToolkitDetails; actions: ReadonlyMap<string, ActionRecord> },
    offeredElsewhere: (actionName: string) => boolean,
    beforeChange = async () => {},
    keyId = '',
  ): Promise<{ toolkit: ToolkitRecord; accepted: string[]; findings: LintFinding[]; held: string[] }> {
    const { limits } = this.#options;
    const { budget } = this;
    const { actions } = registration;
    const before = await this.#knownToolkit(toolkitId);
    const toolkit = this.#withDetails(before, registration.toolkit ?? {});
    const profile = await this.#options.profiles.changed(toolkitId, registration.toolkit ?? {});
    const change = await this.#changeOf(toolkitId, actions, offeredElsewhere);
    const removed = new Set(change.remove);
    const others = this.actionIds(toolkitId)
      .map((id) => this.#requireKnown(id))
      .filter(({ name }) => !actions.has(name) && !removed.has(name));
    await requireToolkitFits(toolkit, { own: [...actions.values()], others }, { limits, budget });
    if (toolkit !== before || profile || change.upsert.length > 0 || change.remove.length > 0) {
      await beforeChange();
      await this.#change({ toolkit, before, profile }, change, keyId);
    }
    const accepted = [...actions.keys()].map((name) => formatActionId(toolkitId, name));
    const findings = await this.#reviews.findings.within(budget, toolkit, () => this.#linted(toolkit));
    return { toolkit, accepted, findings, held: accepted.filter((id) => this.isHeld(id)) };
  }

  async #knownToolkit(id: string): Promise<ToolkitRecord> {
    if (!this.#toolkits.has(id)) await this.refresh('new');
    return this.#requireToolkit(id);
  }

  /** Returns the same record when nothing is different. */
  #withDetails(before: ToolkitRecord, details: ToolkitDetails): ToolkitRecord {
    const name = details.name === undefined ? before.name : this.#cleanName(details.name);
    const description = details.description === undefined ? before.description : this.#cleanDescription(details.description);
    const auth = details.auth === undefined ? before.auth : (details.auth ?? undefined);
    const { auth: _, ...rest } = before;
    const after = { ...rest, name, description, ...(auth && { auth }), ...(!looksOnlyLike(name, before.name) && { namedAt: Date.now() }) };
    return sameDetails(after, before) ? before : after;
  }

  async #changeOf(
    toolkitId: string,
    actions: ReadonlyMap<string, ActionRecord>,
    offeredElsewhere: (actionName: string) => boolean,
  ): Promise<ActionsChange> {
    const upsert: ActionRecord[] = [];
    for (const action of actions.values()) {
      if (this.budget.isUsedUp) await this.budget.enter();
      if (!isSameAction(action, this.#actions.get(formatActionId(toolkitId, action.name)))) upsert.push(action);
    }
    const remove = this.actionIds(toolkitId)
      .map((id) => this.#requireKnown(id).name)
      .filter((name) => !actions.has(name) && !offeredElsewhere(name));
    return { upsert, remove };
  }

  async #change({ toolkit, before, profile }: DetailsChange, change: ActionsChange, keyId: string): Promise<void> {
    await this.#storeAccess.run(async () => {
      this.#requireToolkit(toolkit.id);
      const reworded = new Set(change.upsert.map(({ name }) => name));
      const others = toolkit === before ? [] : this.#actionsOf(toolkit.id).filter(({ name }) => !reworded.has(name));
      await this.#reviews.record(toolkit, [...change.upsert, ...others], { keyId, budget: this.budget });
      if (toolkit !== before) await this.#store.updateToolkit(toolkit);
      if (profile) await this.#options.profiles.put(profile);
      if (change.upsert.length > 0 || change.remove.length > 0) await this.#store.changeActions(toolkit.id, change);
      await this.#apply(toolkit, change);
    });
  }

  /**
   * Indexes in steps, then shows the whole change within one event-loop turn. Until then the index holds actions that the catalogue does not know;
   * searches leave them out. Only while `#storeAccess` is held.
   */
  async #apply(toolkit: ToolkitRecord, { upsert, remove }: ActionsChange): Promise<void> {
    const { id } = toolkit;
    const renamed = !sameTexts(toolkit, this.#toolkits.get(id)) ? this.actionIds(id).map((actionId) => this.#requireKnown(actionId)) : [];
    const reworded = new Set(upsert.map(({ name }) => name));
    const indexed = [...renamed.filter(({ name }) => !reworded.has(name)), ...upsert];
    for (const action of indexed) {
      if (this.budget.isUsedUp) await this.budget.enter();
      this.#index.upsert(documentOf(action, toolkit));
    }
    const affected = this.#putToolkit(toolkit);
    const ids = this.#actionIds.get(id);
    for (const action of upsert) {
      const actionId = formatActionId(id, action.name);
      this.#actions.set(actionId, action);
      ids?.add(actionId);
    }
    const gone = remove.map((name) => formatActionId(id, name));
    for (const actionId of gone) {
      this.#actions.delete(actionId);
      ids?.delete(actionId);
    }
    if (this.#reviews.isOn) this.#reviews.apply(toolkit, this.#actionsOf(id), undefined);
    for (const actionId of [...indexed.map(({ name }) => formatActionId(id, name)), ...gone]) this.#changed(actionId);
    for (const actionId of gone) {
      if (this.budget.isUsedUp) await this.budget.enter();
      this.#index.remove(actionId);
    }
    for (const toolkitId of [id, ...affected]) await this.#review(toolkitId);
  }

  /** Decides anew which actions of the toolkit are held. */
  async #review(toolkitId: string): Promise<void> {
    const toolkit = this.#toolkits.get(toolkitId);
    if (!toolkit || !this.#reviews.isOn) return;
    const actions = this.#actionsOf(toolkitId);
    const isDecided = this.#reviews.isDecided(toolkit, actions);
    const findings = isDecided ? [] : await this.#reviews.findings.within(this.budget, toolkit, () => this.#linted(toolkit));
    for (const id of this.#reviews.apply(toolkit, actions, findings)) for (const listener of this.#listeners) listener(id);
  }

  /** The texts of an action that an owner approves, and the hash that names them. */
  textsOf(id: string): ReviewTexts {
    const action = this.#requireKnown(id);
    const text = reviewText(this.#requireToolkit(action.toolkitId), action);
    const hash = reviewHash(text);
    return { text, hash, approved: this.#reviews.isApproved(action, hash) };
  }

  /** Whether an owner has approved the present texts of the action. */
  isApproved(id: string): boolean {
    return this.#reviews.hasApprovals(this.#requireKnown(id)) && this.textsOf(id).approved;
  }

  /** Rejects with CONFLICT and approves nothing when an action has other texts by now. */
  async approve(wanted: readonly { action: string; hash: string }[]): Promise<void> {
    await this.#storeAccess.run(async () => {
      const approvals = wanted.map(({ action: id, hash }) => {
        const { toolkitId, name, resultSchema } = this.#requireKnown(id);
        const now = this.textsOf(id);
        if (now.hash !== hash)
          throw new SvcError('CONFLICT', `The texts of "${id}" have changed since: read them again, then approve them`);
        return { toolkitId, name, hash, hasShape: resultSchema !== undefined, text: now.text, approvedAt: Date.now() };
      });
      for (const [toolkitId, ofToolkit] of Map.groupBy(approvals, (approval) => approval.toolkitId)) {
        await this.#store.approve(toolkitId, ofToolkit);
        this.#reviews.add(ofToolkit);
        await this.#review(toolkitId);
      }
    });
  }

  /** Holds these texts until they change or are approved. Rejects with CONFLICT and rejects nothing when an action has other texts by now. */
  async reject(wanted: readonly { action: string; hash: string; reason: string }[]): Promise<void> {
    await this.#storeAccess.run(async () => {
      const rejections = wanted.map(({ action: id, hash, reason }) => {
        const { toolkitId, name } = this.#requireKnown(id);
        if (this.textsOf(id).hash !== hash)
          throw new SvcError('CONFLICT', `The texts of "${id}" have changed since: read them again, then reject them`);
        if (!this.isHeld(id)) throw new SvcError('CONFLICT', `"${id}" does not wait for approval, so its texts cannot be rejected`);
        return { toolkitId, name, hash, reason, rejectedAt: Date.now() };
      });
      for (const [toolkitId, ofToolkit] of Map.groupBy(rejections, (rejection) => rejection.toolkitId)) {
        await this.#store.reject(toolkitId, ofToolkit);
        this.#reviews.addRejections(ofToolkit);
        await this.#review(toolkitId);
      }
    });
  }

  /** The rejection of the action's present texts. */
  rejectionOf(id: string): RejectionRecord | undefined {
    const { toolkitId, name } = this.#requireKnown(id);
    return this.#actions.get(id)?.held === 'rejected'
      ? this.#reviews.rejection({ toolkitId, name, hash: this.textsOf(id).hash })
      : undefined;
  }

  lastApprovedText(id: string): Promise<string | undefined> {
    const { toolkitId, name } = this.#requireKnown(id);
    return this.#store.lastApprovedText(toolkitId, name);
  }

  #actionsOf(toolkitId: string): ListedAction[] {
    return this.actionIds(toolkitId).map((id) => this.#requireKnown(id));
  }

  /** Returns other toolkits whose findings may differ now. */
  #putToolkit(toolkit: ToolkitRecord): Set<string> {
    const before = this.#toolkits.get(toolkit.id);
    if (before && sameDetails(toolkit, before) && before.namedAt === toolkit.namedAt) return new Set();
    this.#toolkits.set(toolkit.id, toolkit);
    if (!before) this.#actionIds.set(toolkit.id, new Set());
    return this.#reviews.findings.toolkitChanged(toolkit);
  }

  /** The linter's findings about a toolkit of this catalogue, computed once for each change: a toolkit that only reconnects costs nothing. */
  findings(toolkit: ToolkitRecord): LintFinding[] {
    return this.#reviews.findings.of(toolkit, () => this.#linted(toolkit));
  }

  /** Where results of the action did not fit its declared result, most frequent first. */
  misfitsOf(id: string): ResultMisfit[] {
    return this.#options.misfits?.of(id, this.#requireKnown(id)) ?? [];
  }

  misfitsChanged(id: string): void {
    this.#reviews.findings.actionsChanged(toolkitOf(id));
  }

  #linted(toolkit: ToolkitRecord): Linted {
    const actions = this.actionIds(toolkit.id).map((id) => {
      const action = this.#requireKnown(id);
      return { ...actionInfo(id, action), resultSchema: action.resultSchema, resultMisfits: this.misfitsOf(id) };
    });
    return { actions, similar: this.#similarElsewhere(toolkit.id, actions) };
  }

  #similarElsewhere(toolkitId: string, actions: readonly ActionInfo[]): ActionInfo[] {
    const { accept } = this.#onlyKnown({ limit: 0, accept: (id) => this.#requireKnown(id).toolkitId !== toolkitId });
    const names = actions.slice(0, MAX_HELD_AGAINST_OTHERS).map(({ action }) => this.#requireKnown(action).name);
    const ids = new Set(names.flatMap((name) => this.#index.alike(name, { limit: MAX_NAMED_ALIKE, accept })));
    return Array.from(ids, (id) => actionInfo(id, this.#requireKnown(id)));
  }

  #onlyKnown<Options extends RankingOptions>(options: Options): Options & Required<RankingOptions> {
    const { accept = () => true } = options;
    return { ...options, accept: (id: string) => this.#actions.has(id) && accept(id) };
  }

  #changed(id: string): void {
    this.#reviews.findings.actionsChanged(toolkitOf(id));
    for (const listener of this.#listeners) listener(id);
  }

  #document(id: string): SearchDocument {
    const action = this.#requireKnown(id);
    return documentOf(action, this.#requireToolkit(action.toolkitId));
  }

  #forget(id: string): void {
    const action = this.#actions.get(id);
    if (!action) return;
    this.#actionIds.get(action.toolkitId)?.delete(id);
    this.#actions.delete(id);
    this.#index.remove(id);
    this.#changed(id);
  }

  async #forgetToolkit(id: string): Promise<void> {
    for (const actionId of this.actionIds(id)) this.#forget(actionId);
    this.#actionIds.delete(id);
    this.#toolkits.delete(id);
    this.#reviews.load([id], []);
    for (const affected of this.#reviews.findings.toolkitRemoved(id)) await this.#review(affected);
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
    const clean = cleanText(name, { what: 'toolkit name', maxChars: this.#options.limits.toolkitNameChars, code: 'INVALID_REQUEST' });
    if (clean === '') throw new SvcError('INVALID_REQUEST', 'A toolkit name needs at least one visible character');
    return clean;
  }

  #cleanDescription(text: string): string {
    return cleanText(text, { what: 'toolkit description', maxChars: this.#options.limits.descriptionChars, code: 'INVALID_REQUEST' });
  }
}

function toolkitOf(actionId: string): string {
  return actionId.split(ACTION_ID_SEPARATOR, 1)[0] ?? '';
}

/** Not `localeCompare`: the order must be the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function documentOf(action: ActionRecord, toolkit: ToolkitRecord): SearchDocument {
  const { toolkitId, name, description, payloadSchema, annotations } = action;
  const id = formatActionId(toolkitId, name);
  const { name: toolkitName, description: toolkitDescription } = toolkit;
  return { id, toolkitId, toolkitName, toolkitDescription, name, description, payloadSchema, annotations };
}

function sameTexts(a: ToolkitRecord, b: ToolkitRecord | undefined): boolean {
  return a.name === b?.name && a.description === b.description;
}

function sameDetails(a: ToolkitRecord, b: ToolkitRecord): boolean {
  return sameTexts(a, b) && JSON.stringify(a.auth) === JSON.stringify(b.auth);
}
