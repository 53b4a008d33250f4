import type { KeyRecord } from '../store/store';
import { allowed } from './allowed';

/** Intersects the allow lists of a key and of a token: the key's list may have become smaller since the token was made. */
export function commonAllow(key: KeyRecord['allow'], token: KeyRecord['allow']): KeyRecord['allow'] {
  if (key === null || token === null) return key ?? token;
  return {
    toolkits: token.toolkits.filter((id) => key.toolkits.includes(id)),
    actions: [...token.actions.filter((id) => allowed({ allow: key }, id)), ...key.actions.filter((id) => allowed({ allow: token }, id))],
  };
}
