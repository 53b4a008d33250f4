/**
 * Filters choose the actions of a source that become actions of the toolkit: `tag:issues`, `GET /repos/**`, `/repos/*`, or a name such as `repos_*`.
 *
 * Errors: INVALID_REQUEST for a filter without a match, because a mistyped `exclude` would let an action in.
 */
import { SvcError } from 'svc-sdk';
import { readGlob } from './glob';

export interface FilterOptions {
  /** Actions that match one of these are imported. Default: all. */
  include?: readonly string[] | undefined;
  /** Actions that match one of these are not imported. */
  exclude?: readonly string[] | undefined;
}

export interface FilteredSource {
  /** The action's name, and its original name at the source. */
  names: readonly string[];
  tags?: readonly string[] | undefined;
  /** Such as `GET`. */
  method?: string | undefined;
  path?: string | undefined;
}

const MAX_SHOWN_TAGS = 40;

export function filterActions<Source extends FilteredSource>(sources: readonly Source[], { include, exclude }: FilterOptions): Source[] {
  const included = include?.map((filter) => fitting(sources, filter, 'include'));
  const excluded = (exclude ?? []).map((filter) => fitting(sources, filter, 'exclude'));
  return sources.filter((source) => (included?.some((set) => set.has(source)) ?? true) && !excluded.some((set) => set.has(source)));
}

export interface TagCount {
  tag: string;
  actions: number;
}

/** The most frequent first. */
export function countTags(sources: readonly Pick<FilteredSource, 'tags'>[]): TagCount[] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of sources) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([tag, actions]) => ({ tag, actions })).sort((one, other) => other.actions - one.actions);
}

/** Such as `issues (55), pulls (27)`; empty when no source has a tag. */
export function tagCounts(sources: readonly FilteredSource[]): string {
  const counts = countTags(sources);
  const shown = counts.slice(0, MAX_SHOWN_TAGS).map(({ tag, actions }) => `${tag} (${actions})`);
  return [...shown, ...(counts.length > shown.length ? [`${counts.length - shown.length} more`] : [])].join(', ');
}

/** The sources that fit the filter of this option. */
export function fitting<Source extends FilteredSource>(sources: readonly Source[], filter: string, option: string): ReadonlySet<Source> {
  const fits = readFilter(filter);
  const found = new Set(sources.filter(fits));
  if (found.size > 0 || sources.length === 0) return found;
  const tags = tagCounts(sources);
  const advice = tags ? `; the tags are ${tags}` : `; the names are like ${JSON.stringify(sources[0]?.names[0])}`;
  throw new SvcError('INVALID_REQUEST', `${option}: ${JSON.stringify(filter)} fits no action${advice}`);
}

function readFilter(filter: string): (source: FilteredSource) => boolean {
  const [, tag] = /^tag:\s*(.+)$/i.exec(filter) ?? [];
  if (tag !== undefined) {
    const fits = readGlob(tag, 'any');
    return ({ tags }) => tags?.some(fits) ?? false;
  }
  const [, method, path] = /^(?:([A-Za-z]+|\*)\s+)?(\/.*)$/.exec(filter.trim()) ?? [];
  if (path !== undefined) {
    const fits = readGlob(path, 'part');
    return (source) => fits(source.path ?? '') && (!method || method === '*' || method.toUpperCase() === source.method);
  }
  const fits = readGlob(filter.trim(), 'any');
  return ({ names }) => names.some(fits);
}
