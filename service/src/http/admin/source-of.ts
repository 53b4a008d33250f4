import type { ImportRequest } from '#sdk/protocol/imports';
import { isObject } from '#sdk/protocol/json-object';

/** The source of an import for the audit log: a command, a URL without its query, or a file. */
export function sourceOf({ entry: { mcp, openapi }, document }: ImportRequest): { source: string } {
  if (document !== undefined) return { source: 'an uploaded document' };
  if (isObject(openapi)) return { source: shown(openapi.file) };
  if (!isObject(mcp)) return { source: 'none' };
  if ('url' in mcp) return { source: shown(mcp.url) };
  const args = Array.isArray(mcp.args) ? mcp.args : [];
  return { source: [mcp.command, ...args].map(String).join(' ') };
}

function shown(place: unknown): string {
  const text = String(place);
  const url = URL.parse(text);
  return url && url.host !== '' ? `${url.protocol}//${url.host}${url.pathname}` : text;
}
