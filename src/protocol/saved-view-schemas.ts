/** Saved views of the console: docs/protocol.md section 10. */
import * as z from 'zod';
import { VIEW_PAGES } from './admin-constants';
import { components } from './schemas';

const MAX_NAME_CHARS = 80;
const MAX_QUERY_CHARS = 2_000;

const page = z.enum(VIEW_PAGES, `must be one of ${VIEW_PAGES.join(', ')}`);
const name = z
  .string('must be a text')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME_CHARS, `may have at most ${MAX_NAME_CHARS} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must have no control characters');
const query = z
  .string('must be a text')
  .max(MAX_QUERY_CHARS, `may have at most ${MAX_QUERY_CHARS} characters`)
  .regex(/^(\?[!-~]*)?$/, 'must be the query string of the page: empty, or from ? on, percent-encoded')
  .describe('The query string of the page, from `?` on; empty without filters');
const shared = z.boolean('must be true or false').describe('Everybody sees it; only owners share views');

export const savedView = z
  .object({
    id: z.string(),
    page,
    name: z.string(),
    query: z.string(),
    shared: z.boolean(),
    mine: z.boolean(),
    owner: z.string().exactOptional().describe('The name of the person who shares it'),
  })
  .register(components, { id: 'SavedView' });
export type SavedView = z.output<typeof savedView>;

export const savedViewsPage = z.object({ views: z.array(savedView) }).register(components, { id: 'SavedViewsPage' });
export type SavedViewsPage = z.output<typeof savedViewsPage>;

export const newViewRequest = z
  .strictObject({ page, name, query, shared: shared.exactOptional() })
  .register(components, { id: 'NewViewRequest' });
export type NewViewRequest = z.output<typeof newViewRequest>;

export const changeViewRequest = z
  .strictObject({ name: name.exactOptional(), query: query.exactOptional(), shared: shared.exactOptional() })
  .register(components, { id: 'ChangeViewRequest' });
export type ChangeViewRequest = z.output<typeof changeViewRequest>;
