/**
 * JSON with single quotes. LlamaIndex writes a result as JSON, then deletes every double quote in it, also those inside texts, and refuses null.
 * With single quotes the model can still see what is a text and where it ends.
 */
import type { JSONValue } from '@llamaindex/core/global';

const SPELLINGS: Record<string, string> = { '"': "'", "'": '\\u0027', '\\"': '\\u0022' };

export function withSingleQuotes(value: unknown): string {
  return JSON.stringify(value).replace(/\\.|["']/g, (found) => SPELLINGS[found] ?? found);
}

/** A JSON string that `JSON.stringify` writes as it is, without escaping it again. */
export function rawJson(text: string): JSONValue {
  // TypeScript has no type for it yet.
  const { rawJSON } = JSON as unknown as { rawJSON(json: string): JSONValue };
  return rawJSON(`"${text}"`);
}
