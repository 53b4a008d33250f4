/**
 * Records the past of toolkits for the catalogue's pages: each minute the ones that are online, and the texts of actions that changed.
 *
 * Only texts that agents can find are stored: those that wait for an approval are not.
 */
import { hash } from 'node:crypto';
import { parseActionId } from '#sdk/protocol/ids';
import { isForModels } from '../catalog/app-resources';
import type { Catalog } from '../catalog/catalog';
import { type ListedAction, shownResult } from '../catalog/review/action-reviews';
import { canonicalJson } from '../lib/canonical-json';
import { EventLoopBudget } from '../lib/event-loop-budget';
import type { ActionVersion, ListingStore, VersionText } from '../store/listing-store';

export interface ListingJobsDeps {
  store: Pick<ListingStore, 'countMinute' | 'lastVersions' | 'addVersions'>;
  catalog: Pick<Catalog, 'toolkits' | 'toolkit' | 'actionIds' | 'action' | 'onChange'>;
  online: { replicas(toolkitId: string): number };
}

const MINUTE_MS = 60_000;
/** Versions of one action. */
const KEPT_VERSIONS = 20;
/** UTF-16 code units. Of a larger action the description alone is stored. */
const MAX_TEXT_CHARS = 32_768;
const MAX_DESCRIPTION_CHARS = 8_192;

export class ListingJobs {
  readonly #deps: ListingJobsDeps;
  readonly #budget = new EventLoopBudget();
  /** Ids of actions that may have another text than their last version. */
  #changed = new Set<string>();
  #isStarted = false;
  #minute = 0;

  constructor(deps: ListingJobsDeps) {
    this.#deps = deps;
    deps.catalog.onChange((id) => this.#changed.add(id));
  }

  /** Counts the present minute and stores new versions. Rejects when the store does not take them; they are stored the next time. */
  async run(now = Date.now()): Promise<void> {
    const { store, catalog, online } = this.#deps;
    const minute = Math.floor(now / MINUTE_MS);
    if (minute > this.#minute) {
      const ids = catalog.toolkits().map(({ id }) => id);
      await store.countMinute(
        minute,
        ids.filter((id) => online.replicas(id) > 0),
      );
      this.#minute = minute;
    }
    await this.#storeVersions(now);
  }

  async #storeVersions(now: number): Promise<void> {
    const { store } = this.#deps;
    if (!this.#isStarted) await this.#addUnknown();
    const changed = this.#changed;
    if (changed.size === 0) return;
    this.#changed = new Set();
    try {
      const toolkitIds = [...new Set(Array.from(changed, (id) => parseActionId(id)?.toolkitId ?? ''))];
      const last = new Map((await store.lastVersions(toolkitIds)).map((version) => [placeOf(version), version]));
      const texts: VersionText[] = [];
      for (const id of changed) {
        if (this.#budget.isUsedUp) await this.#budget.enter();
        const text = this.#versionOf(id, last, now);
        if (text) texts.push(text);
      }
      if (texts.length > 0) await store.addVersions(texts, KEPT_VERSIONS);
    } catch (error) {
      for (const id of changed) this.#changed.add(id);
      throw error;
    }
  }

  /** The actions of toolkits without versions: those from before versions were stored. */
  async #addUnknown(): Promise<void> {
    const { store, catalog } = this.#deps;
    const known = new Set((await store.lastVersions()).map(({ toolkitId }) => toolkitId));
    for (const { id } of catalog.toolkits()) if (!known.has(id)) for (const action of catalog.actionIds(id)) this.#changed.add(action);
    this.#isStarted = true;
  }

  /** Undefined if the last version is the present one. */
  #versionOf(id: string, last: ReadonlyMap<string, ActionVersion>, at: number): VersionText | undefined {
    const { catalog } = this.#deps;
    const parsed = parseActionId(id);
    if (!parsed || !catalog.toolkit(parsed.toolkitId)) return undefined;
    const { toolkitId, actionName: name } = parsed;
    const before = last.get(placeOf({ toolkitId, name }));
    const number = (before?.number ?? 0) + 1;
    const action = catalog.action(id);
    if (!action) return before && before.hash !== '' ? { toolkitId, name, number, at, hash: '', text: null } : undefined;
    if (action.held !== undefined || !isForModels(action)) return undefined;
    const text = textOf(action);
    const digest = hash('sha256', text, 'hex');
    if (digest === before?.hash) return undefined;
    const kept = text.length <= MAX_TEXT_CHARS ? text : canonicalJson({ description: action.description.slice(0, MAX_DESCRIPTION_CHARS) });
    return { toolkitId, name, number, at, hash: digest, text: kept };
  }
}

function textOf(action: ListedAction): string {
  const { title, description, payloadSchema, annotations, payment } = action;
  const resultSchema = shownResult(action);
  return canonicalJson({
    ...{ description, payloadSchema, annotations },
    ...(title !== undefined && { title }),
    ...(payment && { payment }),
    ...(resultSchema && { resultSchema }),
  });
}

function placeOf({ toolkitId, name }: Pick<ActionVersion, 'toolkitId' | 'name'>): string {
  return `${toolkitId} ${name}`;
}
