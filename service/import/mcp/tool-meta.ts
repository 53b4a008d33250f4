/**
 * `_meta` and icons of a tool for MCP clients behind the service, each within the service's limit.
 *
 * Source: Model Context Protocol 2025-11-25, "Icons"; MCP Apps 2026-01-26.
 */
import { type ActionIcon, type ActionMeta, MAX_META_BYTES, MAX_RESULT_META_BYTES } from '#sdk/protocol/action-meta';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { ImportedAction, LeftOutPart } from '../imported-action';
import type { ListedTool } from './listed-tool';

const TOO_LARGE = `It has more than ${MAX_META_BYTES} bytes`;
/** Members of the service, and of the connection to the server. */
const RESERVED = /^(svc-sdk|io\.modelcontextprotocol)\//;
const ICON_SOURCE = /^(https?:\/\/|data:image\/)/i;

export interface ToolMeta {
  meta?: ActionMeta;
  icons?: ActionIcon[];
}

/** @param onLeftOut called with each part that is too large */
export function toolMeta({ _meta = {}, icons: listed = [] }: ListedTool, onLeftOut: (part: LeftOutPart) => void): ToolMeta {
  const meta = withoutReserved(_meta);
  const icons = listed.filter(isObject).flatMap(toIcon);
  const fits = (part: string, value: object) => {
    const isSmall = Buffer.byteLength(JSON.stringify(value)) <= MAX_META_BYTES;
    if (!isSmall) onLeftOut({ part, why: TOO_LARGE });
    return isSmall;
  };
  return {
    ...(Object.keys(meta).length > 0 && fits('_meta', meta) && { meta }),
    ...(icons.length > 0 && fits('icons', icons) && { icons }),
  };
}

/** Undefined without `_meta`, and for one above the service's limit. */
export function metaOfResult({ _meta = {} }: { _meta?: JsonObject | undefined }): ActionMeta | undefined {
  const meta = withoutReserved(_meta);
  const fits = Object.keys(meta).length > 0 && Buffer.byteLength(JSON.stringify(meta)) <= MAX_RESULT_META_BYTES;
  return fits ? meta : undefined;
}

function withoutReserved(meta: JsonObject): ActionMeta {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !RESERVED.test(name)));
}

/** The address of the page that an app shows for the tool. */
export function hasPage({ meta = {} }: Pick<ImportedAction, 'meta'>): boolean {
  const { resourceUri } = isObject(meta.ui) ? meta.ui : {};
  return [resourceUri, meta['ui/resourceUri'], meta['openai/outputTemplate']].some((uri) => typeof uri === 'string');
}

/** Empty for an icon without an address that clients load. */
function toIcon({ src, mimeType, sizes, theme }: JsonObject): ActionIcon[] {
  if (typeof src !== 'string' || !ICON_SOURCE.test(src)) return [];
  return [
    {
      src,
      ...(typeof mimeType === 'string' && { mimeType }),
      ...(Array.isArray(sizes) && { sizes: sizes.filter((size) => typeof size === 'string') }),
      ...((theme === 'light' || theme === 'dark') && { theme }),
    },
  ];
}
