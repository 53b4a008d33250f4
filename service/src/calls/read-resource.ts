/**
 * The built-in action `svc__read_resource`: reads the page of an MCP App with the action of its toolkit that reads resources.
 *
 * Shape: `{uri}` of the service -> the same call with `{uri}` of the toolkit.
 */
import { readsResources } from '#sdk/protocol/action-meta';
import { SvcError } from '#sdk/protocol/errors';
import { formatActionId, RESERVED_TOOLKIT_ID } from '#sdk/protocol/ids';
import { parseServiceAddress, showsPage } from '../catalog/app-resources';
import type { Catalog } from '../catalog/catalog';
import type { ActionRecord } from '../store/store';

export const READ_APP_PAGE: ActionRecord = {
  toolkitId: RESERVED_TOOLKIT_ID,
  name: 'read_resource',
  description: 'Reads the page of an MCP App',
  payloadSchema: {
    type: 'object',
    properties: { uri: { type: 'string', maxLength: 4_096, description: 'As `meta` of an action has it' } },
    required: ['uri'],
  },
  annotations: { readOnly: true, openWorld: false },
};
export const READ_APP_PAGE_ID: string = formatActionId(READ_APP_PAGE.toolkitId, READ_APP_PAGE.name);

/**
 * @param mayFind whether the caller may find an action; the page of one that it may find is its to read
 * @throws SvcError NOT_FOUND, the same for a page of an action that the caller may not find
 */
export function findReader(
  catalog: Pick<Catalog, 'action' | 'actionIds'>,
  address: string,
  mayFind: (id: string) => boolean,
): { actionId: string; action: ActionRecord; uri: string } {
  const parsed = parseServiceAddress(address);
  if (parsed) {
    const { toolkitId, uri } = parsed;
    const ids = catalog.actionIds(toolkitId);
    const isShown = ids.some((id) => mayFind(id) && showsPage(catalog.action(id) ?? {}, uri));
    const actionId = ids.find((id) => readsResources(catalog.action(id)));
    const action = actionId === undefined ? undefined : catalog.action(actionId);
    if (isShown && actionId !== undefined && action && action.held === undefined) return { actionId, action, uri };
  }
  throw new SvcError(
    'NOT_FOUND',
    `The resource ${JSON.stringify(address.slice(0, 200))} was not found: list the resources to see their addresses`,
  );
}
