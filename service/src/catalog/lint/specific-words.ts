/**
 * The words of a text that describe what something does: `Handles the user data` -> `user`.
 *
 * Shape:  stems as the search makes them, so that what the linter asks for is what a search can find.
 */
import { stem } from '../search/stem';
import { stems } from '../search/tokenize';

/** They fit any action, so they distinguish none. */
const FILLERS: ReadonlySet<string> = new Set(
  `
  action tool toolkit api endpoint operation call request response utility helper feature
  handle manage perform invoke do make work use provide allow enable support
  data information info detail result value input output parameter argument object item thing stuff misc
  various different specific given certain related relevant useful simple generic basic general
  todo fixme tbd description none na null undefined placeholder
  `
    .trim()
    .split(/\s+/)
    .map(stem),
);

export function specificWords(text: string): Set<string> {
  return new Set(stems(text).filter((word) => !FILLERS.has(word)));
}
