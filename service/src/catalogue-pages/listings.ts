/**
 * The toolkits of the catalogue: those with an action that agents can find. Nothing here names a key, a process or a caller.
 *
 * Held actions, and those that only an app's page calls, are left out, as for agents.
 */
import { readsResources } from '#sdk/protocol/action-meta';
import type { Payment } from '#sdk/protocol/http';
import { isForModels } from '../catalog/app-resources';
import type { Catalog } from '../catalog/catalog';
import type { ListedAction } from '../catalog/review/action-reviews';
import { DAY_MS, utcDay } from '../lib/utc-day';
import type { KeyRecord, Store, ToolkitRecord } from '../store/store';
import type { ToolkitProfileRecord, ToolkitProfileSummary } from '../store/toolkit-profile-store';
import { type Numbers, numbersOf } from './numbers';

export interface ListingsDeps {
  catalog: Pick<Catalog, 'toolkits' | 'toolkit' | 'actionIds' | 'action' | 'isApproved'>;
  online: { replicas(toolkitId: string): number };
  keys: { records(): Promise<KeyRecord[]> };
  store: Pick<Store, 'counts' | 'listings' | 'toolkitProfiles' | 'accounts' | 'sightings'>;
}

export interface ShownAction extends ListedAction {
  id: string;
}

export interface Listing {
  toolkit: ToolkitRecord;
  profile: ToolkitProfileSummary | undefined;
  /** Ids of the actions that agents can find. */
  actions: string[];
  isOnline: boolean;
  /** An owner of the service approved each of the actions. */
  isVerified: boolean;
  isFree: boolean;
  /** The prices of its paid actions. */
  prices: Payment[];
  /** Calls of 30 days, for the order. */
  use: number;
  /** The name of the owner of its key, if that person shows it. */
  publisher: string | undefined;
}

/** A page that is read often costs one look at the store in this time. */
const FRESH_MS = 5_000;
const NUMBERS_DAYS = 30;

export class Listings {
  readonly #deps: ListingsDeps;
  #read: { at: number; listings: Promise<Map<string, Listing>> } | undefined;

  constructor(deps: ListingsDeps) {
    this.#deps = deps;
  }

  /** Toolkit id -> listing, most used first. */
  all(now = Date.now()): Promise<Map<string, Listing>> {
    if (!this.#read || now - this.#read.at > FRESH_MS) {
      const read = { at: now, listings: this.#readAll(now) };
      read.listings.catch(() => {
        if (this.#read === read) this.#read = undefined;
      });
      this.#read = read;
    }
    return this.#read.listings;
  }

  profile(toolkitId: string): Promise<ToolkitProfileRecord | undefined> {
    return this.#deps.store.toolkitProfiles.get(toolkitId);
  }

  /** The actions of a listing, in the order of their names. One may have gone since the listing was read. */
  actionsOf({ actions }: Listing): ShownAction[] {
    return actions.flatMap((id) => {
      const action = this.#deps.catalog.action(id);
      return isShown(action) ? [{ ...action, id }] : [];
    });
  }

  async lastSeen(toolkitId: string): Promise<number | undefined> {
    return (await this.#deps.store.sightings.lastSeen([toolkitId])).get(toolkitId);
  }

  /** Numbers of the last 30 days; names without calls are absent. */
  async numbers(dimension: 'toolkit' | 'action', names: readonly string[], now = Date.now()): Promise<Map<string, Numbers>> {
    if (names.length === 0) return new Map();
    const counted = await this.#deps.store.counts.totals({ dimension, names, ...lastDays(NUMBERS_DAYS, now) });
    return new Map([...Map.groupBy(counted, ({ name }) => name)].map(([name, counts]) => [name, numbersOf(counts)]));
  }

  async #readAll(now: number): Promise<Map<string, Listing>> {
    const { catalog, online, store } = this.#deps;
    const toolkits = catalog.toolkits();
    const [sums, profiles, publishers] = await Promise.all([
      store.counts.sums({ dimension: 'toolkit', ...lastDays(NUMBERS_DAYS, now) }),
      store.toolkitProfiles.list(toolkits.map(({ id }) => id)),
      this.#publishers(),
    ]);
    const uses = new Map(sums.map(({ name, calls }) => [name, calls]));
    const listings = toolkits.flatMap((toolkit): Listing[] => {
      const { id } = toolkit;
      const actions = catalog.actionIds(id).filter((action) => isShown(catalog.action(action)));
      if (actions.length === 0) return [];
      const prices = actions.flatMap((action) => catalog.action(action)?.payment ?? []);
      return [
        {
          ...{ toolkit, actions, prices, profile: profiles.get(id), use: uses.get(id) ?? 0, publisher: publishers.get(id) },
          isOnline: online.replicas(id) > 0,
          isVerified: actions.every((action) => catalog.isApproved(action)),
          isFree: prices.length === 0,
        },
      ];
    });
    return new Map(listings.toSorted(byUse).map((listing) => [listing.toolkit.id, listing]));
  }

  /** Toolkit id -> name of its publisher. */
  async #publishers(): Promise<Map<string, string>> {
    const { keys, store } = this.#deps;
    const shown = new Set(await store.listings.publishers());
    if (shown.size === 0) return new Map();
    const [records, people] = await Promise.all([keys.records(), store.accounts.list()]);
    const names = new Map(people.map(({ id, name }) => [id, name]));
    return new Map(
      records.flatMap(({ toolkitId, revokedAt, ownerId }) => {
        if (toolkitId === null || revokedAt !== null || ownerId === null || !shown.has(ownerId)) return [];
        const name = names.get(ownerId);
        // A person may have written an address as the name.
        return name === undefined || name.includes('@') ? [] : [[toolkitId, name] as const];
      }),
    );
  }
}

export function isShown(action: ListedAction | undefined): action is ListedAction {
  return action !== undefined && action.held === undefined && isForModels(action) && !readsResources(action);
}

/** Whole UTC days up to now. */
export function lastDays(days: number, now: number) {
  const today = utcDay(now);
  return { step: 86_400, from: (today - days + 1) * DAY_MS, to: (today + 1) * DAY_MS } as const;
}

function byUse(one: Listing, other: Listing): number {
  return other.use - one.use || Number(other.isOnline) - Number(one.isOnline) || (nameOf(one) < nameOf(other) ? -1 : 1);
}

function nameOf({ toolkit }: Listing): string {
  return `${toolkit.name.toLowerCase()} ${toolkit.id}`;
}
