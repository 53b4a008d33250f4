/** The filters of the list of toolkits, in its address. */
import { TOOLKIT_SORTS, type ToolkitSort } from '#sdk/protocol/admin';

export interface ToolkitsSearch {
  q?: string;
  state?: 'online' | 'offline';
  sort?: ToolkitSort;
  order?: 'asc' | 'desc';
}

export const toolkitsSearch = ({ q, state, sort, order }: Record<string, unknown>): ToolkitsSearch => ({
  ...(typeof q === 'string' && q.trim() !== '' && { q: q.slice(0, 200) }),
  ...((state === 'online' || state === 'offline') && { state }),
  ...(TOOLKIT_SORTS.some((known) => known === sort) && { sort: sort as ToolkitSort }),
  ...((order === 'asc' || order === 'desc') && { order }),
});
