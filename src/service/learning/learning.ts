/**
 * Learning from use: a search that led to a successful call of a shown action makes similar searches find that action sooner.
 *
 * Shape:  a followed search -> lesson -> evidence -> votes in the usage index, and the store behind. docs/discovery.md has the rules.
 * Errors: none reach a caller. Failed writes are logged and retried; a killed process loses the evidence of its last seconds.
 */
import { parseActionId } from '../../protocol/ids';
import type { UsageIndex } from '../catalog/search/index';
import type { Logger } from '../lib/logger';
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
/** Another process may hold the lock for a moment at the end. */
const LAST_TRIES = 5;
const LAST_TRY_MS = 200;
/** It is less sure that a query meant what other words for it have led to. */
const REWORDED_STRENGTH = 0.5;

export class Learning implements SearchObserver {
  readonly #setting: LearningSetting;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #terms: HashedTerms;
  readonly #evidence: Evidence;
  readonly #keeper: EvidenceKeeper;
  readonly #timers: NodeJS.Timeout[] = [];
  /** One after the other: they share what is not written yet. */
  #work: Promise<void> = Promise.resolve();

  /** Reads what was learned before. With `off` nothing is read and nothing learned; what was learned stays in the store. */
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

  /** An exact id says nothing that the id does not say. */
  searched({ query }: Search): boolean {
    return this.#setting !== 'off' && !parseActionId(query.trim());
  }

  succeeded(search: Search, action: string): void {
    this.#learn(search, action, { ok: true });
  }

  failed(search: Search, action: string): void {
    this.#learn(search, action, { ok: false });
  }

  /** Only when they share a word: else the agent has turned to something else. */
  reworded(search: Search, next: { query: string; action: string }): void {
    const words = new Set(this.#terms.of(next.query));
    const isSameWish = this.#terms.of(search.query).some((word) => words.has(word));
    if (isSameWish) this.#learn(search, next.action, { ok: true, strength: REWORDED_STRENGTH });
  }

  keyEnded(keyId: string): void {
    if (this.#setting !== 'off') this.#then(() => this.#keeper.dropIfRevoked(keyId));
  }

  /** Reads and writes at once what else happens every two seconds. */
  sync(): Promise<void> {
    return this.#then(async () => {
      const now = this.#now();
      this.#evidence.settle(now);
      await this.#keeper.sync(now);
    });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#work;
    if (this.#setting !== 'off') await this.#saveAtLast();
  }

  async #start(): Promise<void> {
    await this.#keeper.load(this.#now());
    const lookForRevokedKeys = () => this.#then(() => this.#keeper.dropRevokedKeys());
    this.#timers.push(setInterval(() => this.sync(), SYNC_MS).unref(), setInterval(lookForRevokedKeys, LOOK_FOR_REVOKED_KEYS_MS).unref());
  }

  #learn(search: Search, action: string, outcome: { ok: boolean; strength?: number }): void {
    if (!this.searched(search)) return;
    const { keyId, query } = search;
    const text = this.#setting === 'text' ? visibleText(query).slice(0, TEXT_CHARS) : undefined;
    this.#evidence.record({ keyId, action, terms: this.#terms.of(query), text, at: this.#now(), ...outcome });
  }

  #then(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#logger.error({ error }, 'cannot keep what was learned from use; it is tried again');
    });
    return this.#work;
  }

  async #saveAtLast(): Promise<void> {
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
