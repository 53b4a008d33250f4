/** The page of a toolkit: its head, and one of five parts that links lead to. */
import { html } from 'hono/html';
import { firstSentence } from '../catalog/answer/first-sentence';
import { type CataloguePage, type Html, PICTURE } from './document';
import { figures, priceOf } from './list-page';
import type { Listing } from './listings';
import { iconPath, markOf } from './mark';
import type { Numbers } from './numbers';
import { formatDate } from './words';

/** The parts by the last step of their paths. */
export const PARTS = { about: 'About', actions: 'Actions', use: 'Use it', changes: 'Changes', status: 'Status' } as const;
export type ToolkitPart = keyof typeof PARTS;

export function isPart(text: string): text is ToolkitPart {
  return Object.hasOwn(PARTS, text);
}

/** `/catalogue/weather`, `/catalogue/weather/actions`. */
export function partPath(toolkitId: string, part: ToolkitPart): string {
  return `/catalogue/${toolkitId}${part === 'about' ? '' : `/${part}`}`;
}

export interface ToolkitPageFacts {
  listing: Listing;
  numbers: Numbers | undefined;
  part: ToolkitPart;
  /** The content of the part. */
  content: Html;
}

export function toolkitPage({ listing, numbers, part, content }: ToolkitPageFacts): CataloguePage {
  const { toolkit, actions, profile, publisher, isOnline, isVerified } = listing;
  const { id, name } = toolkit;
  const body = html`
<div class="head big">${markOf(listing)}<div><h1>${name}</h1>
<div class="dim">${id}${profile?.version === undefined ? '' : ` · version ${profile.version}`}${publisher === undefined ? '' : ` · by ${publisher}`}</div></div></div>
<div class="badges">${isOnline ? html`<span class="badge good">online</span>` : html`<span class="badge">offline</span>`}${isVerified ? html`<span class="badge good" title="An owner of this service approved the texts of each action">verified</span>` : ''}${profile?.category === undefined ? '' : html`<span class="badge">${profile.category}</span>`}<span class="badge">${priceOf(listing)}</span></div>
${toolkit.description === '' ? '' : html`<p class="lead">${toolkit.description}</p>`}
${figures(actions.length, numbers)}
<nav class="tabs" aria-label="Parts">${(Object.entries(PARTS) as [ToolkitPart, string][]).map(
    ([one, label]) => html`<a href="${partPath(id, one)}"${one === part ? html` aria-current="page"` : ''}>${label}</a>`,
  )}</nav>
${content}`;
  return {
    status: 200,
    title: part === 'about' ? `${name}: tools for AI agents` : `${PARTS[part]} · ${name}`,
    description: firstSentence(toolkit.description) || `Tools of ${name} for AI agents.`,
    canonical: partPath(id, part),
    picture: profile?.iconType === 'image/png' ? (iconPath(listing) ?? PICTURE) : PICTURE,
    body,
  };
}

export interface AboutFacts {
  listing: Listing;
  /** Harmless HTML. Undefined without a README. */
  readme: Html | undefined;
  /** Milliseconds since the epoch. */
  lastSeenAt: number | undefined;
}

export function aboutPart({ listing, readme, lastSeenAt }: AboutFacts): Html {
  const { toolkit, profile, publisher, isOnline } = listing;
  const homepage = profile?.homepage === undefined ? undefined : URL.parse(profile.homepage);
  return html`<h2>About</h2>
${readme === undefined ? html`<p class="dim">This toolkit has no README.</p>` : html`<div class="readme">${readme}</div>`}
<dl class="facts">
${publisher === undefined ? '' : html`<dt>Publisher</dt><dd>${publisher}</dd>`}
${homepage ? html`<dt>Homepage</dt><dd><a href="${homepage.href}" rel="nofollow noopener noreferrer">${homepage.host}</a></dd>` : ''}
<dt>Here since</dt><dd>${formatDate(toolkit.createdAt)}</dd>
${profile === undefined ? '' : html`<dt>Page changed</dt><dd>${formatDate(profile.changedAt)}</dd>`}
${isOnline || lastSeenAt === undefined ? '' : html`<dt>Last online</dt><dd>${formatDate(lastSeenAt)}</dd>`}
${toolkit.auth === undefined ? '' : html`<dt>Account</dt><dd>Its calls need an account at the API behind it.</dd>`}
</dl>`;
}
