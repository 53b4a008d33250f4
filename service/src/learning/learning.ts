/**
 * Learning from use: a search that led to a successful call of an action that it showed makes similar searches rank that action higher.
 *
 * Shape:  an observed search -> evidence -> votes in the usage index, and the store. docs/discovery.md has the rules.
 * Errors: none reach a caller. A failed write is logged and repeated. A killed process loses what it learned in its last seconds.
 */
import { parseActionId } from '#sdk/protocol/ids';
import type { UsageIndex } from '../catalog/search/index';
import type { Logger } from '../lib/logger';
import { Mutex } from '../lib/mutex';
import { visibleText } from '../payload/clean-text';
import type { Search } from '../searches/search';
import type { SearchObserver } from '../searches/searches';
import type { Store } from '../store/store';
import { Evidence } from './evidence';
import { EvidenceKeeper } from './evidence-keeper';
import type { HashedTerms } from './hashed-terms';
import type { LearningSetting } from './setting';

export interface LearningDeps {
  store: Pick<Store, 'evidence' | 'keys'>;
  usage: UsageIndex;
  terms: HashedTerms;
  setting: LearningSetting;
  logger: Logger;
  now?: () => number;
}

const SYNC_MS = 2_000;
/** The end of a key in use is noticed at once. */
const LOOK_FOR_REVOKED_KEYS_MS = 60 * 1000;
const TEXT_CHARS = 300;
/** When the service stops, another process may hold the lock for a moment. */
const LAST_TRIES = 5;
const LAST_TRY_MS = 200;
/** A reworded search is weaker evidence than a search that led to the call. */
const REWORDED_STRENGTH = 0.5;

export class Learning implements SearchObserver {
  readonly #setting: LearningSetting;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #terms: HashedTerms;
  readonly #evidence: Evidence;
  readonly #keeper: EvidenceKeeper;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Serialises reads and writes of the keeper, which share the changes that are not written yet. */
  readonly #storeAccess = new Mutex();

  /** Reads the stored evidence. With `off`, nothing is read or learned; the stored evidence stays. */
  static async open(deps: LearningDeps): Promise<Learning> {
    const learning = new Learning(deps);
    const { store, setting } = deps;
    if (setting !== 'text') await store.evidence.forgetTexts();
    if (setting !== 'off') await learning.#start();
    return learning;
  }

  private constructor({ store, usage, terms, setting, logger, now = Date.now }: LearningDeps) {
    this.#setting = setting;
    this.#logger = logger;
    this.#now = now;
    this.#terms = terms;
    this.#evidence = new Evidence(usage);
    this.#keeper = new EvidenceKeeper({ store: store.evidence, keys: store.keys, evidence: this.#evidence, terms });
  }

  /** An exact action id needs no evidence, and a person who tries something gives none. */
  searched({ query, origin }: Search): boolean {
    return this.#setting !== 'off' && origin === undefined && !parseActionId(query.trim());
  }

  succeeded(search: Search, action: string): void {
    this.#learn(search, action, { ok: true });
  }

  failed(search: Search, action: string): void {
    this.#learn(search, action, { ok: false });
  }

  /** Only if both share a word: otherwise the agent looks for something else. */
  reworded(search: Search, next: { query: string; action: string }): void {
    const words = new Set(this.#terms.of(next.query));
    const isSameTopic = this.#terms.of(search.query).some((word) => words.has(word));
    if (isSameTopic) this.#learn(search, next.action, { ok: true, strength: REWORDED_STRENGTH });
  }

  keyEnded(keyId: string): void {
    if (this.#setting !== 'off') this.#useStore(() => this.#keeper.dropIfRevoked(keyId));
  }

  /** Reads and writes at once. It also happens every two seconds. */
  sync(): Promise<void> {
    return this.#useStore(async () => {
      const now = this.#now();
      this.#evidence.settle(now);
      await this.#keeper.sync(now);
    });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#storeAccess.settled();
    if (this.#setting !== 'off') await this.#saveLast();
  }

  async #start(): Promise<void> {
    await this.#keeper.load(this.#now());
    const lookForRevokedKeys = () => this.#useStore(() => this.#keeper.dropRevokedKeys());
    this.#timers.push(setInterval(() => this.sync(), SYNC_MS).unref(), setInterval(lookForRevokedKeys, LOOK_FOR_REVOKED_KEYS_MS).unref());
  }

  #learn(search: Search, action: string, outcome: { ok: boolean; strength?: number }): void {
    if (!this.searched(search)) return;
    const { keyId, query } = search;
    const text = this.#setting === 'text' ? visibleText(query).slice(0, TEXT_CHARS) : undefined;
    this.#evidence.record({ keyId, action, terms: this.#terms.of(query), text, at: this.#now(), ...outcome });
  }

  #useStore(work: () => Promise<void>): Promise<void> {
    return this.#storeAccess.run(work).catch((error: unknown) => {
      this.#logger.error({ error }, 'cannot store what was learned from use; the next write includes it');
    });
  }

  async #saveLast(): Promise<void> {
    for (let left = LAST_TRIES - 1; ; left--) {
      try {
        return await this.#keeper.save();
      } catch (error) {
        if (left === 0) return this.#logger.error({ error }, 'what was learned in the last seconds is lost');
        await new Promise((resolve) => setTimeout(resolve, LAST_TRY_MS));
      }
    }
  }
}
