/**
 * Chosen actions as tools of their own: named by their ids, with unchanged payload schemas, sorted by id.
 *
 * Errors: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND, with the service's `didYouMean`; also for a toolkit without actions, because an agent does not
 *         notice a missing tool.
 */
import { SvcError } from '../protocol/errors';
import { type ActionsPage, type CatalogAction, PATHS } from '../protocol/http';
import { isToolkitId, parseActionId } from '../protocol/ids';
import { mapConcurrent } from './concurrency';
import type { ToolDefinition } from './definitions';
import { describeAction } from './describe-action';

/** Returns one page of `GET /v1/actions`. */
export type PageReader = (path: string) => Promise<ActionsPage>;

export interface StaticSelection {
  toolkits: readonly string[];
  actions: readonly string[];
}

/** All toolkits, in place of an id. */
const EVERY_TOOLKIT = '*';
/** 50 ids of 64 characters stay below 4 kB, which every server and proxy accepts as a URL. */
const IDS_PER_REQUEST = 50;
const PARALLEL_REQUESTS = 5;

export async function staticTools({ toolkits, actions }: StaticSelection, readPage: PageReader): Promise<ToolDefinition[]> {
  const requests = [
    ...[...new Set(toolkits)].map((toolkit) => () => actionsOfToolkit(toolkit, readPage)),
    ...chunks([...new Set(actions)], IDS_PER_REQUEST).map((ids) => () => actionsById(ids, readPage)),
  ];
  const found = (await mapConcurrent(requests, PARALLEL_REQUESTS, (request) => request())).flat();
  const byId = new Map(found.map((action) => [action.action, action]));
  return [...byId.values()]
    .sort((a, b) => (a.action < b.action ? -1 : 1))
    .map((info) => ({
      name: info.action,
      description: describeAction(info),
      parameters: info.payloadSchema,
      ...(info.title !== undefined && { title: info.title }),
      // Strict MCP clients refuse a result that does not fit its schema.
      ...(info.resultSchema && !info.resultMisfits && { resultSchema: info.resultSchema }),
      ...(info.annotations && { annotations: info.annotations }),
      ...(info.meta && { meta: info.meta }),
      ...(info.icons && { icons: info.icons }),
      ...(info.payment && { payment: info.payment }),
    }));
}

async function actionsOfToolkit(toolkit: string, readPage: PageReader): Promise<CatalogAction[]> {
  const every = toolkit === EVERY_TOOLKIT;
  if (!every && !isToolkitId(toolkit)) {
    throw new SvcError(
      'TOOLKIT_NOT_FOUND',
      `${JSON.stringify(toolkit)} is not a toolkit id; one looks like "weather" or "sample-database"`,
    );
  }
  const actions = await readPages(every ? {} : { toolkit }, readPage);
  if (actions.length > 0) return actions;
  const what = every ? 'No toolkit has an action' : `Toolkit "${toolkit}" has no action`;
  throw new SvcError('ACTION_NOT_FOUND', `${what} that this key may use`);
}

async function actionsById(ids: string[], readPage: PageReader): Promise<CatalogAction[]> {
  const wrong = ids.find((id) => !parseActionId(id));
  if (wrong !== undefined) {
    throw new SvcError('ACTION_NOT_FOUND', `${JSON.stringify(wrong)} is not an action id; one looks like "weather__get_forecast"`);
  }
  const actions = await readPages({ ids: ids.join(',') }, readPage);
  const missing = ids.filter((id) => !actions.some(({ action }) => action === id));
  if (missing.length === 0) return actions;
  throw new SvcError('ACTION_NOT_FOUND', `No toolkit offers ${missing.join(', ')}, or this key may not use it`);
}

async function readPages(query: Record<string, string>, readPage: PageReader): Promise<CatalogAction[]> {
  const actions: CatalogAction[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await readPage(`${PATHS.actions}?${new URLSearchParams(cursor === undefined ? query : { ...query, cursor })}`);
    actions.push(...page.actions);
    cursor = page.nextCursor;
    if (cursor === undefined) return actions;
    if (cursors.has(cursor))
      throw new SvcError('INTERNAL', `The service returned the cursor ${cursor} twice, so its pages would never end`);
    cursors.add(cursor);
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
