/**
 * The text for a model: results as compact JSON, errors as `{"error":{…}}`. A text that is cut at `maxChars` says so. A result has no control
 * sequences of terminals and no invisible characters: docs/limits.md.
 *
 * Units:  UTF-16 code units, as in `String.length`.
 */
import { type ContentBlock, describeBlock } from '../protocol/content';
import type { SvcError } from '../protocol/errors';
import type { InvokeResponse } from '../protocol/http';
import { readableJson, readableText } from '../protocol/invisible-text';
import { writeJson } from './json';

/** A result for a model. */
export interface ModelResult {
  /** JSON, with words in place of images and files. */
  value: unknown;
  /** The result alone, without a note. */
  result: unknown;
  /** The whole result as content blocks, for clients that show more than text. Absent if the result is only JSON. */
  blocks?: readonly ContentBlock[];
}

/** The result; with a note if the payload was repaired, the result is cut, or it has images, files or links. */
export function toModelResult({ result = null, content = [], repaired = [], cut }: InvokeResponse, maxChars: number): ModelResult {
  const notes = [...repaired];
  if (cut) notes.push(`The result has ${cut.totalBytes} bytes; these are its first ${cut.keptBytes}.`);
  const note = notes.length === 0 ? {} : { note: notes.join(' ') };
  if (content.length === 0) {
    const value = limitValue(result, maxChars);
    return { value: notes.length === 0 ? value : { result: value, ...note }, result: value };
  }
  const whole = { result, content };
  const readable = readableJson(whole, writeJson(whole));
  const said = result === null ? note : { result: readable.result, ...note };
  return {
    value: limitValue({ ...said, content: readable.content.map(describeBlock) }, maxChars),
    result: limitValue(readable.result, maxChars),
    blocks: limitTexts([...resultBlocks(readable.result, note), ...readable.content], maxChars),
  };
}

function resultBlocks(result: unknown, note: { note?: string }): ContentBlock[] {
  if (note.note !== undefined) return [{ type: 'text', text: writeJson({ result, ...note }) }];
  return result === null ? [] : [{ type: 'text', text: toModelText(result) }];
}

/** Limits all texts together to the length of one result. */
function limitTexts(blocks: readonly ContentBlock[], maxChars: number): ContentBlock[] {
  let left = maxChars;
  const limit = (text: string) => {
    const limited = cutText(text, left);
    left = Math.max(0, left - text.length);
    return limited;
  };
  return blocks.map((block) => {
    if (block.type === 'text') return { ...block, text: limit(block.text) };
    if (block.type !== 'resource' || block.resource.text === undefined) return block;
    return { ...block, resource: { ...block.resource, text: limit(block.resource.text) } };
  });
}

/** The value without invisible characters; if its text is too long for a model, the beginning of that text. */
export function limitValue(value: unknown, maxChars: number): unknown {
  const json = toModelText(value);
  const readable = typeof value === 'string' ? readableText(value) : readableJson(value, json);
  const text = readable === value ? json : toModelText(readable);
  return text.length <= maxChars ? readable : cutText(text, maxChars);
}

export function toModelText(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value);
}

export function toErrorText(error: SvcError, maxChars: number): string {
  return cutText(writeJson({ error: error.toJSON() }), maxChars);
}

function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(maxChars - 1));
  const kept = splitsPair ? maxChars - 1 : maxChars;
  return `${text.slice(0, kept)}\n[Cut: ${text.length} characters, these are the first ${kept}. Ask for less, or for a part, if you need the rest.]`;
}
