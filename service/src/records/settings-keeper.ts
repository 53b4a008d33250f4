/**
 * The settings that owners can change while the service runs: the defaults, replaced by stored values.
 *
 * Errors: an invalid stored value is logged and its default used. An invalid change rejects with INVALID_REQUEST.
 */
import { DEFAULT_SETTINGS, type Settings } from '#sdk/protocol/admin';
import type { Logger } from '../lib/logger';
import { Mutex } from '../lib/mutex';
import { parseOrThrow } from '../lib/parse';
import type { SettingStore } from '../store/console-store';
import type { SettingsChange } from './records';
import { CONTENT_IS_KEPT } from './retention';
import { settingsChange, settingsSchema } from './settings-schema';

export interface SettingsKeeperDeps {
  store: Pick<SettingStore, 'all' | 'put'>;
  logger: Logger;
}

export type SettingsListener = (settings: Settings, before: Settings) => Promise<void>;

export class SettingsKeeper {
  readonly #store: SettingsKeeperDeps['store'];
  readonly #logger: Logger;
  #settings: Readonly<Settings>;
  /** Serialises reads and changes: values that were read before a change must not undo it. */
  readonly #storeAccess = new Mutex();
  /** Names of settings whose stored value was logged. */
  readonly #loggedNames = new Set<string>();
  readonly #listeners: SettingsListener[] = [];

  static async open(deps: SettingsKeeperDeps): Promise<SettingsKeeper> {
    const keeper = new SettingsKeeper(deps);
    keeper.#settings = await keeper.#read();
    return keeper;
  }

  private constructor({ store, logger }: SettingsKeeperDeps) {
    this.#store = store;
    this.#logger = logger;
    this.#settings = DEFAULT_SETTINGS;
  }

  /** The same object until a setting changes. */
  get settings(): Readonly<Settings> {
    return this.#settings;
  }

  /** Calls back when the settings have changed, here or at another node. The change waits for the listener. */
  onChange(listener: SettingsListener): void {
    this.#listeners.push(listener);
  }

  /** Rejects an invalid change with INVALID_REQUEST and changes nothing. */
  change(change: SettingsChange): Promise<Settings> {
    return this.#storeAccess.run(async () => {
      const wanted = parseOrThrow(settingsChange, change, 'settings');
      const stored = Object.entries<unknown>(wanted).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
      if (wanted.content !== undefined && wanted.content !== 'off') stored.push({ name: CONTENT_IS_KEPT, value: true });
      if (stored.length > 0) await this.#store.put(stored, Date.now());
      await this.#apply(await this.#read());
      return this.#settings;
    });
  }

  /** Reads changes of other nodes. */
  refresh(): Promise<void> {
    return this.#storeAccess.run(async () => this.#apply(await this.#read()));
  }

  /** Resolves when all changes and reads have ended. */
  settled(): Promise<void> {
    return this.#storeAccess.settled();
  }

  async #apply(settings: Settings): Promise<void> {
    const before = this.#settings;
    if (JSON.stringify(settings) === JSON.stringify(before)) return;
    this.#settings = settings;
    for (const listener of this.#listeners) await listener(settings, before);
  }

  async #read(): Promise<Settings> {
    const stored = new Map((await this.#store.all()).map(({ name, value }) => [name, value]));
    const read = Object.entries(DEFAULT_SETTINGS).map(([name, standard]) => {
      if (!stored.has(name)) return [name, standard];
      const parsed = settingsSchema.shape[name as keyof Settings].safeParse(stored.get(name));
      if (!parsed.success) this.#logInvalid(name);
      return [name, parsed.success ? parsed.data : standard];
    });
    return Object.fromEntries(read) as Settings;
  }

  #logInvalid(name: string): void {
    if (this.#loggedNames.has(name)) return;
    this.#loggedNames.add(name);
    this.#logger.error({ setting: name }, 'the stored value of a setting is invalid: its default is used');
  }
}
