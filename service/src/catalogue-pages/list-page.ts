/** The list of toolkits: search, filters, cards, and the searches that found nothing. */
import { html } from 'hono/html';
import { firstSentence } from '../catalog/answer/first-sentence';
import { type CataloguePage, type Html, PICTURE } from './document';
import { type CatalogueQuery, listPath } from './list-query';
import type { Listing } from './listings';
import { markOf } from './mark';
import type { Numbers } from './numbers';
import { countOf, formatShare, formatWhole, readableMs, readablePrice } from './words';

const PAGE_SIZE = 24;
const MAX_FOUND_ACTIONS = 3;

/** A text that agents searched for in vain. */
export interface WantedText {
  text: string;
  searches: number;
}

export interface ListPageFacts {
  query: CatalogueQuery;
  /** All that fit, in order. */
  listings: readonly Listing[];
  /** Those of this page. */
  numbers: ReadonlyMap<string, Numbers>;
  /** The categories that toolkits have. */
  categories: readonly string[];
  /** Ids of actions that the search found, best first. Undefined without a search. */
  found: readonly string[] | undefined;
  wanted: readonly WantedText[];
}

/** @param total number of toolkits in the catalogue */
export function catalogueList(facts: ListPageFacts, total: number): CataloguePage {
  const { query, listings, wanted } = facts;
  const { q, page } = query;
  const shown = onPage(listings, query);
  const isFiltered = listPath({ ...query, page: 1 }) !== '/catalogue';
  const title = q === '' ? 'Tools for AI agents' : `“${q.slice(0, 60)}”: tools for AI agents`;
  const body = html`
<h1>${q === '' ? 'Tools for AI agents' : `Results for “${q}”`}</h1>
<p class="lead">${countOf(total, 'toolkit')} that any agent can search and call: over MCP, over HTTP, or with an SDK.</p>
<form class="search" role="search" action="/catalogue" method="get">
<input type="search" name="q" value="${q}" maxlength="300" aria-label="What should the agent do?" placeholder="What should the agent do?">
<button>Search</button>
</form>
${filters(facts)}
${shown.length === 0 ? html`<p>${nothing(query, total)}</p>` : html`<ul class="cards">${shown.map((listing) => html`<li>${card(listing, facts)}</li>`)}</ul>`}
${paging(query, listings.length)}
${wanted.length === 0 || q !== '' || page > 1 ? '' : wantedPart(wanted)}`;
  return {
    status: 200,
    title: page > 1 ? `${title}, page ${page}` : title,
    description: `${countOf(total, 'toolkit')} for AI agents, with prices, success rates and latency. Search them as a model does.`,
    canonical: isFiltered ? undefined : listPath(query),
    picture: PICTURE,
    body,
  };
}

/** The listings of the page that the query names. */
export function onPage(listings: readonly Listing[], { page }: CatalogueQuery): Listing[] {
  return listings.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
}

function nothing({ q, page }: CatalogueQuery, total: number): string {
  if (total === 0) return 'No toolkit is registered yet.';
  if (page > 1) return 'There are no more toolkits.';
  return q === '' ? 'No toolkit has all of these properties.' : 'No action fits. Try other words, or fewer filters.';
}

function filters({ query, categories }: ListPageFacts): Html {
  const chip = (label: string, isOn: boolean, change: Partial<CatalogueQuery>) =>
    html`<li><a href="${listPath({ ...query, page: 1, ...change })}"${isOn ? html` aria-current="true"` : ''}>${label}</a></li>`;
  const price = (value: 'free' | 'paid') => chip(value, query.price === value, { price: query.price === value ? undefined : value });
  return html`<nav aria-label="Filters"><ul class="chips">
${price('free')}${price('paid')}
${chip('online now', query.isOnline, { isOnline: !query.isOnline })}
${chip('verified', query.isVerified, { isVerified: !query.isVerified })}
${categories.map((category) => chip(category, query.category === category, { category: query.category === category ? undefined : category }))}
</ul></nav>
${query.q !== '' ? '' : html`<nav aria-label="Order"><ul class="chips">${chip('most used', query.sort === 'use', { sort: 'use' })}${chip('by name', query.sort === 'name', { sort: 'name' })}${chip('newest', query.sort === 'new', { sort: 'new' })}</ul></nav>`}`;
}

function card(listing: Listing, { found, numbers }: ListPageFacts): Html {
  const { toolkit, profile, actions, isOnline, isVerified, publisher } = listing;
  const own = new Set(actions);
  const matching = found?.filter((id) => own.has(id)).slice(0, MAX_FOUND_ACTIONS) ?? [];
  return html`<article class="card">
<div class="head">${markOf(listing)}<div><h2><a href="/catalogue/${toolkit.id}">${toolkit.name}</a></h2>
<div class="small dim">${publisher === undefined ? toolkit.id : `by ${publisher}`}</div></div></div>
<p>${firstSentence(toolkit.description)}</p>
${matching.length === 0 ? '' : html`<p class="small">Finds: ${matching.map((id, index) => html`${index > 0 ? ', ' : ''}<code>${id}</code>`)}</p>`}
<div class="badges">${isOnline ? html`<span class="badge good">online</span>` : html`<span class="badge">offline</span>`}${isVerified ? html`<span class="badge good">verified</span>` : ''}${profile?.category === undefined ? '' : html`<span class="badge">${profile.category}</span>`}<span class="badge">${priceOf(listing)}</span></div>
${figures(actions.length, numbers.get(toolkit.id))}
</article>`;
}

/** The numbers of a toolkit, as a list. */
export function figures(actions: number, numbers: Numbers | undefined): Html {
  const { calls = 0, success, p95Ms } = numbers ?? {};
  return html`<dl class="figures">
<div><dt>${actions === 1 ? 'action' : 'actions'}</dt><dd>${formatWhole(actions)}</dd></div>
<div><dt>calls, 30 days</dt><dd>${formatWhole(calls)}</dd></div>
<div><dt>success</dt><dd>${success === undefined ? '–' : formatShare(success)}</dd></div>
<div><dt>p95</dt><dd>${p95Ms === undefined ? '–' : readableMs(p95Ms)}</dd></div>
</dl>`;
}

/** `free`, `0.05 USD`, `from 0.01 USD`, `partly paid`. */
export function priceOf({ prices, actions }: Pick<Listing, 'prices' | 'actions'>): string {
  if (prices.length === 0) return 'free';
  if (prices.length < actions.length) return 'partly paid';
  const [cheapest, ...others] = prices.toSorted((one, other) => Number(one.amount) - Number(other.amount));
  if (!cheapest) return 'free';
  return others.some(({ amount }) => amount !== cheapest.amount) ? `from ${readablePrice(cheapest)}` : readablePrice(cheapest);
}

function paging(query: CatalogueQuery, total: number): Html | string {
  const { page } = query;
  const hasNext = page * PAGE_SIZE < total;
  if (page === 1 && !hasNext) return '';
  return html`<nav class="pages" aria-label="Pages">${page > 1 ? html`<a rel="prev" href="${listPath({ ...query, page: page - 1 })}">Previous page</a>` : ''}${hasNext ? html`<a rel="next" href="${listPath({ ...query, page: page + 1 })}">Next page</a>` : ''}</nav>`;
}

function wantedPart(wanted: readonly WantedText[]): Html {
  return html`<section aria-labelledby="wanted"><h2 id="wanted">Wanted</h2>
<p class="lead">Agents searched for this, and no action served them. A toolkit that does it is found at once.</p>
<ul>${wanted.map(({ text, searches }) => html`<li>${text} <span class="small dim">${countOf(searches, 'search', 'searches')}</span></li>`)}</ul></section>`;
}
