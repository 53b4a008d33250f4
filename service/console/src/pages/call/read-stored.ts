/** The stored result of a call: its JSON, and its images and files where it has some. */
import type { ContentBlock } from '#sdk/protocol/content';
import { parseExactJson } from '#sdk/protocol/exact-number';
import { isObject } from '#sdk/protocol/json-object';

const TYPES: ReadonlySet<unknown> = new Set<ContentBlock['type']>(['text', 'image', 'audio', 'resource', 'resource_link']);

export interface StoredResult {
  /** Undefined for a result of images and files alone. */
  json?: string;
  blocks?: readonly ContentBlock[];
}

export function readStored(json: string): StoredResult {
  const value: unknown = parseExactJson(json);
  if (!isObject(value) || !isBlocks(value.content)) return { json };
  const { result, content, ...others } = value;
  if (Object.keys(others).length > 0) return { json };
  return { blocks: value.content, ...(result !== undefined && result !== null && { json: JSON.stringify(result) }) };
}

/** A handler may return an object with a member of this name itself. */
function isBlocks(content: unknown): content is ContentBlock[] {
  return Array.isArray(content) && content.length > 0 && content.every((block) => isObject(block) && TYPES.has(block.type));
}
