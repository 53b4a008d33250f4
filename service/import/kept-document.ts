/** An OpenAPI document that came by an address or an upload, as a file beside `toolkits.yaml`: what is at the address later is not served. */

import { withoutBom } from '#sdk/protocol/decode-text';
import { isAddress } from './fetch-document';
import { parseDocumentText } from './openapi/document';
import type { ToolkitEntry } from './toolkits-file';

/** The entry with the file in it and the address that it came from, and the text of the file. JSON, because YAML of some megabytes takes seconds to read at each start. */
export function keptDocument(id: string, entry: ToolkitEntry, text: string): { entry: ToolkitEntry; document: string } {
  const plain = withoutBom(text);
  const document = /^\s*\{/.test(plain) ? plain : `${JSON.stringify(parseDocumentText(plain), null, 2)}\n`;
  if (!('openapi' in entry)) return { entry, document };
  const { file } = entry.openapi;
  const openapi = { ...(isAddress(file) && { from: file }), ...entry.openapi, file: `./${id}.openapi.json` };
  return { entry: { ...entry, openapi }, document };
}
