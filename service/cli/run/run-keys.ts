/** The toolkit keys of `svc-service run`: those of SVC_TOOLKIT_KEYS, and temporary keys, revoked at the end or at the next start after a kill. */
import { type Keys, openKeys, SvcError } from 'svc-service';
import { adminService } from '#sdk/cli/environment';
import { UsageError } from '#sdk/cli/usage-error';
import { AdminClient } from '../admin-client';
import { type PlaceFlags, placeOf } from '../place';
import { isLeftKey, keyName } from './key-names';

const NO_KEY =
  'set SVC_TOOLKIT_KEYS, or let svc-service run make keys: with SVC_ADMIN_API_KEY, or with --data where the data of the service are';

type ClosableKeys = Keys & { close?(): Promise<void> };

export class RunKeys {
  readonly #file: string;
  readonly #flags: PlaceFlags;
  readonly #given: ReadonlyMap<string, string>;
  /** Toolkit id -> its key. */
  readonly #made = new Map<string, Promise<{ id: string; key: string }>>();
  #keys: Promise<ClosableKeys> | undefined;

  /**
   * Throws UsageError for an invalid list.
   *
   * @param file path of `toolkits.yaml`
   */
  constructor(file: string, flags: PlaceFlags) {
    this.#file = file;
    this.#flags = flags;
    this.#given = readGivenKeys(process.env.SVC_TOOLKIT_KEYS ?? '');
  }

  /** Rejects with INVALID_KEY if the toolkit has no key and cannot get one. */
  async of(toolkit: string): Promise<string> {
    const given = this.#given.get(toolkit);
    if (given !== undefined) return given;
    const making = this.#made.get(toolkit) ?? this.#make(toolkit);
    this.#made.set(toolkit, making);
    // A later try makes another key.
    making.catch(() => this.#made.delete(toolkit));
    return (await making).key;
  }

  /** Revokes the temporary keys. */
  async close(): Promise<void> {
    const keys = await this.#keys?.catch(() => undefined);
    const made = await Promise.allSettled(this.#made.values());
    for (const result of made) if (result.status === 'fulfilled') await keys?.revoke(result.value.id);
    await keys?.close?.();
  }

  async #make(toolkit: string): Promise<{ id: string; key: string }> {
    this.#keys ??= this.#open(toolkit);
    this.#keys.catch(() => {
      this.#keys = undefined;
    });
    return (await this.#keys).create({ kind: 'toolkit', name: keyName(toolkit, this.#file), toolkit });
  }

  async #open(toolkit: string): Promise<ClosableKeys> {
    const keys = await this.#place(toolkit);
    for (const { id, kind, name, revokedAt } of await keys.list())
      if (kind === 'toolkit' && revokedAt === undefined && isLeftKey(name, this.#file)) await keys.revoke(id);
    return keys;
  }

  async #place(toolkit: string): Promise<ClosableKeys> {
    const { data, database } = this.#flags;
    if (data !== undefined || database) return openKeys(placeOf(this.#flags), { create: false });
    if (process.env.SVC_ADMIN_API_KEY) return new AdminClient(adminService().url);
    throw new SvcError('INVALID_KEY', `The toolkit "${toolkit}" has no key: ${NO_KEY}`);
  }
}

/** Parses `files=svc_toolkit_…,shop=svc_toolkit_…`. No error message contains a key. */
function readGivenKeys(text: string): Map<string, string> {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return new Map(
    parts.map((part, index) => {
      const [, id, key] = /^([^=]+)=(.+)$/.exec(part) ?? [];
      if (id === undefined || key === undefined)
        throw new UsageError(`SVC_TOOLKIT_KEYS: part ${index + 1} is not <toolkit>=<key>, as in files=svc_toolkit_…,shop=svc_toolkit_…`);
      return [id.trim(), key.trim()];
    }),
  );
}
