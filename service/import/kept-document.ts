/** Stores a fetched or uploaded OpenAPI document beside `toolkits.yaml`: later content of the address is not served. */

import { withoutBom } from '#sdk/protocol/decode-text';
import { isAddress } from './fetch-document';
import { parseDocumentText } from './openapi/document';
import type { ToolkitEntry } from './toolkits-file';

/** The entry with the file and its origin, and the text of the file. JSON, because parsing some megabytes of YAML takes seconds at each start. */
export function keptDocument(id: string, entry: ToolkitEntry, text: string): { entry: ToolkitEntry; document: string } {
  const plain = withoutBom(text);
  const document = /^\s*\{/.test(plain) ? plain : `${JSON.stringify(parseDocumentText(plain), null, 2)}\n`;
  if (!('openapi' in entry)) return { entry, document };
  const { file } = entry.openapi;
  const openapi = { ...(isAddress(file) && { from: file }), ...entry.openapi, file: `./${id}.openapi.json` };
  return { entry: { ...entry, openapi }, document };
}
