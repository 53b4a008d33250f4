/** Reads what the pages show. Strangers and members see the same, except for the searches that found nothing. */
import { DAY_MS, utcDay } from '../lib/utc-day';
import type { Store } from '../store/store';
import { actionsPart } from './actions-part';
import { changesPart, MAX_CHANGES } from './changes-part';
import type { CataloguePage, Html, Visit } from './document';
import { catalogueList, onPage, type WantedText } from './list-page';
import { type CatalogueQuery, readListQuery } from './list-query';
import { isShown, type Listing, Listings, type ListingsDeps, lastDays } from './listings';
import { numbersOf } from './numbers';
import { Readmes } from './readmes';
import { robots, sitemap } from './site-files';
import { STATUS_DAYS, statusDays, statusPart } from './status-part';
import { aboutPart, type ToolkitPart, toolkitPage } from './toolkit-page';
import { usePart } from './use-part';

export interface CatalogueReaderDeps extends ListingsDeps {
  store: ListingsDeps['store'] & Pick<Store, 'searches'>;
  /** Ids of actions, best first. */
  search(query: string, options: { limit: number; accept: (id: string) => boolean }): string[] | Promise<string[]>;
}

/** The searches that a reader may see. */
export interface WantedFor {
  /** Only texts of this many agent keys. */
  keys: number;
  /** Keys whose texts the reader may see too. Undefined: the texts of all. */
  own: readonly string[] | undefined;
}

const MAX_FOUND = 200;
const MAX_WANTED = 10;
/** Read to find the ones that several keys sent. */
const WANTED_READ = 50;

export class CatalogueReader {
  readonly #deps: CatalogueReaderDeps;
  readonly #listings: Listings;
  readonly #readmes = new Readmes();

  constructor(deps: CatalogueReaderDeps) {
    this.#deps = deps;
    this.#listings = new Listings(deps);
  }

  /** @param wantedFor undefined: no search may be shown */
  async list(search: URLSearchParams, wantedFor: WantedFor | undefined): Promise<CataloguePage> {
    const query = readListQuery(search);
    const all = await this.#listings.all();
    const found = query.q === '' ? undefined : await this.#search(query.q);
    const listings = inOrder(all, query, found).filter((listing) => fits(listing, query));
    const ids = onPage(listings, query).map(({ toolkit }) => toolkit.id);
    const [numbers, wanted] = await Promise.all([this.#listings.numbers('toolkit', ids), this.#wanted(wantedFor)]);
    const categories = [...new Set([...all.values()].flatMap(({ profile }) => profile?.category ?? []))].sort();
    return catalogueList({ query, listings, numbers, categories, found, wanted }, all.size);
  }

  /** Undefined for a toolkit that is not in the catalogue. */
  async toolkit(id: string, part: ToolkitPart, visit: Visit): Promise<CataloguePage | undefined> {
    const listing = (await this.#listings.all()).get(id);
    if (!listing) return undefined;
    const [numbers, content] = await Promise.all([this.#listings.numbers('toolkit', [id]), this.#part(listing, part, visit)]);
    return toolkitPage({ listing, numbers: numbers.get(id), part, content });
  }

  /** Undefined for a toolkit that is not in the catalogue, or has no icon. */
  async icon(id: string): Promise<{ type: string; bytes: Buffer<ArrayBuffer> } | undefined> {
    if (!(await this.#listings.all()).has(id)) return undefined;
    const profile = await this.#listings.profile(id);
    if (profile?.icon === undefined || profile.iconType === undefined) return undefined;
    return { type: profile.iconType, bytes: Buffer.from(profile.icon, 'base64') };
  }

  async sitemap(origin: string): Promise<string> {
    return sitemap((await this.#listings.all()).values(), origin);
  }

  robots(origin: string): string {
    return robots(origin);
  }

  async #part(listing: Listing, part: ToolkitPart, { origin, isStranger }: Visit): Promise<Html> {
    const { id, createdAt } = listing.toolkit;
    switch (part) {
      case 'about': {
        const [profile, lastSeenAt] = await Promise.all([this.#listings.profile(id), this.#listings.lastSeen(id)]);
        const readme = profile?.readme === undefined ? undefined : this.#readmes.render(profile.readme);
        return aboutPart({ listing, readme, lastSeenAt });
      }
      case 'actions':
        return actionsPart(this.#listings.actionsOf(listing), await this.#listings.numbers('action', listing.actions));
      case 'use':
        return usePart({ toolkitId: id, actions: this.#listings.actionsOf(listing), origin, isStranger });
      case 'changes':
        return changesPart(await this.#deps.store.listings.versions(id, MAX_CHANGES));
      case 'status': {
        const now = Date.now();
        const { store } = this.#deps;
        const [uptime, series] = await Promise.all([
          store.listings.uptime(id, utcDay(now) - STATUS_DAYS + 1),
          store.counts.series({ dimension: 'toolkit', names: [id], ...lastDays(STATUS_DAYS, now) }),
        ]);
        const numbers = new Map([...Map.groupBy(series, ({ start }) => start / DAY_MS)].map(([day, counts]) => [day, numbersOf(counts)]));
        return statusPart(statusDays({ now, createdAt, uptime, numbers }), listing.isOnline);
      }
    }
  }

  async #search(query: string): Promise<string[]> {
    const { catalog, search } = this.#deps;
    return search(query, { limit: MAX_FOUND, accept: (id) => isShown(catalog.action(id)) });
  }

  async #wanted(wantedFor: WantedFor | undefined): Promise<WantedText[]> {
    if (!wantedFor) return [];
    const { keys, own } = wantedFor;
    const found = await this.#deps.store.searches.list({ limit: WANTED_READ, offset: 0, unmet: true, sharedWith: own });
    return found
      .filter((summary) => summary.keys >= keys)
      .slice(0, MAX_WANTED)
      .map(({ query: text, searches }) => ({ text, searches }));
  }
}

function inOrder(all: ReadonlyMap<string, Listing>, { sort }: CatalogueQuery, found: readonly string[] | undefined): Listing[] {
  const listings = [...all.values()];
  if (found) {
    const toolkits = new Map(listings.flatMap((listing) => listing.actions.map((id) => [id, listing] as const)));
    return [...new Set(found.flatMap((id) => toolkits.get(id) ?? []))];
  }
  if (sort === 'name') return listings.sort((one, other) => (one.toolkit.name.toLowerCase() < other.toolkit.name.toLowerCase() ? -1 : 1));
  if (sort === 'new') return listings.sort((one, other) => other.toolkit.createdAt - one.toolkit.createdAt);
  return listings;
}

function fits({ profile, isFree, isOnline, isVerified }: Listing, { category, price, ...query }: CatalogueQuery): boolean {
  if (category !== undefined && profile?.category !== category) return false;
  if (price !== undefined && (price === 'free') !== isFree) return false;
  return (!query.isOnline || isOnline) && (!query.isVerified || isVerified);
}
