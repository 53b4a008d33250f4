/**
 * What owners can change while the service runs: the defaults, and what is stored in their place.
 *
 * Errors: a stored value that is none falls back to its default, and is logged; a change that is none rejects with INVALID_REQUEST.
 */
import { DEFAULT_SETTINGS, type Settings } from '../../protocol/admin';
import type { Logger } from '../lib/logger';
import { Mutex } from '../lib/mutex';
import { parseOrThrow } from '../lib/parse';
import type { SettingStore } from '../store/console-store';
import { CONTENT_IS_KEPT } from './forget-old';
import type { SettingsChange } from './records';
import { settingsChange, settingsSchema } from './settings-schema';

export interface SettingsKeeperDeps {
  store: Pick<SettingStore, 'all' | 'put'>;
  /** Told when they have become others, by a change here or at another node. */
  onChange(settings: Settings, before: Settings): Promise<void>;
  logger: Logger;
}

export class SettingsKeeper {
  readonly #store: SettingsKeeperDeps['store'];
  readonly #onChange: SettingsKeeperDeps['onChange'];
  readonly #logger: Logger;
  #settings: Readonly<Settings>;
  /** What was read before a change must not undo it. */
  readonly #mutex = new Mutex();
  /** Stored values that were logged. */
  readonly #odd = new Set<string>();

  static async open(deps: SettingsKeeperDeps): Promise<SettingsKeeper> {
    const keeper = new SettingsKeeper(deps);
    keeper.#settings = await keeper.#read();
    return keeper;
  }

  private constructor({ store, onChange, logger }: SettingsKeeperDeps) {
    this.#store = store;
    this.#onChange = onChange;
    this.#logger = logger;
    this.#settings = DEFAULT_SETTINGS;
  }

  /** The same object until they change. */
  get settings(): Readonly<Settings> {
    return this.#settings;
  }

  /** Rejects with INVALID_REQUEST when it is no setting, and changes nothing then. */
  change(change: SettingsChange): Promise<Settings> {
    return this.#mutex.run(async () => {
      const wanted = parseOrThrow(settingsChange, change, 'settings');
      const stored = Object.entries<unknown>(wanted).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
      if (wanted.content !== undefined && wanted.content !== 'off') stored.push({ name: CONTENT_IS_KEPT, value: true });
      if (stored.length > 0) await this.#store.put(stored, Date.now());
      await this.#apply(await this.#read());
      return this.#settings;
    });
  }

  /** Reads what another node may have changed. */
  refresh(): Promise<void> {
    return this.#mutex.run(async () => this.#apply(await this.#read()));
  }

  /** Resolves when nothing is under way. */
  settled(): Promise<void> {
    return this.#mutex.settled();
  }

  async #apply(settings: Settings): Promise<void> {
    const before = this.#settings;
    if (JSON.stringify(settings) === JSON.stringify(before)) return;
    this.#settings = settings;
    await this.#onChange(settings, before);
  }

  async #read(): Promise<Settings> {
    const stored = new Map((await this.#store.all()).map(({ name, value }) => [name, value]));
    const read = Object.entries(settingsSchema.shape).map(([name, schema]) => {
      const standard = DEFAULT_SETTINGS[name as keyof Settings];
      if (!stored.has(name)) return [name, standard];
      const parsed = schema.safeParse(stored.get(name));
      if (!parsed.success) this.#tellOdd(name);
      return [name, parsed.success ? parsed.data : standard];
    });
    return Object.fromEntries(read) as Settings;
  }

  #tellOdd(name: string): void {
    if (this.#odd.has(name)) return;
    this.#odd.add(name);
    this.#logger.error({ setting: name }, 'the stored value of a setting is none that there is: its default is used');
  }
}
