/** `_meta` and icons of an action, which the service passes on to MCP clients. */

/** `_meta` of a tool of MCP, at most `MAX_META_BYTES` as JSON. */
export type ActionMeta = Record<string, unknown>;

/** An icon of MCP. `src` is an https:, http: or data: URI. */
export interface ActionIcon {
  src: string;
  mimeType?: string;
  /** Such as `48x48`, or `any`. */
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** The limit for `meta`, and the one for all icons of an action. */
export const MAX_META_BYTES = 8 * 1024;

/** The limit for `meta` of a result. */
export const MAX_RESULT_META_BYTES = 64 * 1024;

/** Member of `meta`, true: the action reads the resources of its toolkit, `{uri}` -> `{contents}` of MCP. */
const READS_RESOURCES = 'svc-sdk/resources';

/** True for an action that only the service calls. */
export function readsResources(action: { meta?: ActionMeta | undefined } | undefined): boolean {
  return action?.meta?.[READS_RESOURCES] === true;
}

/** `meta` of such an action. */
export const RESOURCE_READER: ActionMeta = { [READS_RESOURCES]: true };
