/** An OpenAPI document that came by an address or an upload, as a file beside `toolkits.yaml`: what is at the address later is not served. */
import { parseDocumentText } from './openapi/document';
import type { ToolkitEntry } from './toolkits-file';

/** The entry with the file in it, and the text of the file. JSON, because YAML of some megabytes takes seconds to read at each start. */
export function keptDocument(id: string, entry: ToolkitEntry, text: string): { entry: ToolkitEntry; document: string } {
  const document = /^\s*\{/.test(text) ? text : `${JSON.stringify(parseDocumentText(text), null, 2)}\n`;
  if (!('openapi' in entry)) return { entry, document };
  return { entry: { ...entry, openapi: { ...entry.openapi, file: `./${id}.openapi.json` } }, document };
}
