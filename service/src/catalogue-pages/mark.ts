/** The picture of a toolkit: its icon, or the first letter of its name on a colour of its id. */
import { html } from 'hono/html';
import type { Html } from './document';
import type { Listing } from './listings';
import { MARK_COLOURS } from './page-style';

export function iconPath({ toolkit, profile }: Pick<Listing, 'toolkit' | 'profile'>): string | undefined {
  // The time makes browsers read a new icon.
  return profile?.iconType === undefined ? undefined : `/catalogue/${toolkit.id}/icon?at=${profile.changedAt}`;
}

export function markOf(listing: Pick<Listing, 'toolkit' | 'profile'>): Html {
  const path = iconPath(listing);
  if (path !== undefined) return html`<img class="mark" src="${path}" alt="" width="44" height="44" loading="lazy">`;
  const { id, name } = listing.toolkit;
  const colour = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7) % MARK_COLOURS;
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0] ?? id.charAt(0);
  return html`<span class="mark m${colour}" aria-hidden="true">${letter.toUpperCase()}</span>`;
}
