/**
 * The pages of MCP Apps, which actions name in `meta`.
 *
 * Shape:  `ui://<toolkit>/<rest>` is the address at the service of `ui://<rest>` of the toolkit, so that two toolkits never share one.
 * Source: MCP Apps 2026-01-26, "Resource Discovery".
 */
import type { ActionMeta } from '#sdk/protocol/action-meta';
import { isToolkitId } from '#sdk/protocol/ids';
import { isObject } from '#sdk/protocol/json-object';
import type { ActionRecord } from '../store/store';

const SCHEME = 'ui://';
/** Members of `meta` with an address: the deprecated one, and that of ChatGPT. */
const FLAT_MEMBERS = ['ui/resourceUri', 'openai/outputTemplate'];

type WithMeta = Pick<ActionRecord, 'meta'> | undefined;

/** False for an action that only the page of its app calls: no model is shown it. */
export function isForModels(action: WithMeta): boolean {
  const { visibility } = uiOf(action?.meta);
  return !Array.isArray(visibility) || visibility.includes('model');
}

/** `meta` with addresses at the service. */
export function withServiceAddresses(toolkitId: string, meta: ActionMeta): ActionMeta {
  const toService = (uri: unknown) => (isPage(uri) ? `${SCHEME}${toolkitId}/${uri.slice(SCHEME.length)}` : uri);
  const flat = FLAT_MEMBERS.filter((member) => Object.hasOwn(meta, member)).map((member) => [member, toService(meta[member])]);
  const { resourceUri } = uiOf(meta);
  const nested = resourceUri === undefined ? {} : { ui: { ...uiOf(meta), resourceUri: toService(resourceUri) } };
  return { ...meta, ...Object.fromEntries(flat), ...nested };
}

/** True if the action names this page of its toolkit. */
export function showsPage({ meta = {} }: Pick<ActionRecord, 'meta'>, uri: string): boolean {
  return uiOf(meta).resourceUri === uri || FLAT_MEMBERS.some((member) => meta[member] === uri);
}

/** The toolkit of an address at the service, and its own address. */
export function parseServiceAddress(address: string): { toolkitId: string; uri: string } | undefined {
  const [, toolkitId = '', rest] = /^ui:\/\/([^/]*)\/(.+)$/s.exec(address) ?? [];
  return rest !== undefined && isToolkitId(toolkitId) ? { toolkitId, uri: `${SCHEME}${rest}` } : undefined;
}

function isPage(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.startsWith(SCHEME) && uri.length > SCHEME.length;
}

function uiOf(meta: ActionMeta | undefined): { resourceUri?: unknown; visibility?: unknown } {
  return isObject(meta?.ui) ? meta.ui : {};
}
