/** Edits one entry in the text of a `toolkits.yaml`. The rest of the text is unchanged, with its comments and line breaks. */
import { Document, isCollection, isMap, isNode, isPair, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { ToolkitEntry } from './toolkits-file';

/** A shorter collection is written in one line. */
const MAX_LINE_CHARS = 100;
/** Long texts stay in one line, as people wrote them. */
const STYLE = { lineWidth: 0 };

/** The lines for one entry below `toolkits:`, without a line break at the end. */
export function entryYaml(id: string, entry: ToolkitEntry): string {
  return linesOf(id, entry, 2);
}

/** @param text valid YAML, or empty. The entry replaces the one with its id, or is added after the last one. */
export function withEntry(text: string, id: string, entry: ToolkitEntry): string {
  const document = parseDocument(text);
  const toolkits: unknown = document.get('toolkits', true);
  const pairs = isMap(toolkits) && !toolkits.flow ? toolkits.items : [];
  const last = pairs.at(-1);
  if (!last) return withFirstEntry(document, id, entry);
  const former = pairs.find(({ key }) => isScalar(key) && key.value === id);
  if (former) {
    const start = startOf(former);
    return text.slice(0, start) + linesOf(id, entry, columnOf(text, start)).trimStart() + text.slice(endOf(text, former));
  }
  const end = endOfLine(text, endOf(text, last));
  const rest = text.slice(end);
  return `${text.slice(0, end)}\n${linesOf(id, entry, columnOf(text, startOf(last)))}${rest === '' ? '\n' : rest}`;
}

/** True if the file has no entries yet, or all of them between braces. */
function withFirstEntry(document: Document, id: string, entry: ToolkitEntry): string {
  const toolkits = document.get('toolkits');
  if (isMap(toolkits) && toolkits.items.length > 0) toolkits.set(id, entryNode(document, entry));
  else document.set('toolkits', document.createNode({ [id]: entryNode(document, entry) }));
  return document.toString(STYLE);
}

function linesOf(id: string, entry: ToolkitEntry, column: number): string {
  const document = new Document({});
  document.set(id, entryNode(document, entry));
  const lines = document.toString(STYLE).trimEnd().split('\n');
  return lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line)).join('\n');
}

function entryNode(document: Document, entry: ToolkitEntry): YAMLMap {
  const node = document.createNode(entry) as YAMLMap;
  for (const { value } of node.items) setStyle(value);
  return node;
}

function setStyle(value: unknown): void {
  if (!isCollection(value)) return;
  value.flow = JSON.stringify(value).length <= MAX_LINE_CHARS;
  if (!value.flow) for (const item of value.items) setStyle(isPair(item) ? item.value : item);
}

function startOf({ key }: Pair): number {
  return (isNode(key) && key.range?.[0]) || 0;
}

/** The range of a collection reaches to the next line. */
function endOf(text: string, { key, value }: Pair): number {
  const end = (isNode(value) && value.range?.[1]) || (isNode(key) && key.range?.[1]) || 0;
  return text.slice(0, end).trimEnd().length;
}

/** A comment may follow in the same line. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}
