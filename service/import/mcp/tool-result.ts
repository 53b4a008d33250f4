/**
 * The answer of an MCP tool -> result and attachments of an action.
 *
 * Shape:  `structuredContent`, else one text (parsed when it is a JSON object or array), else the list of texts; images, audio, resources and links
 *         are attached.
 * Errors: TOOL_ERROR for `isError`.
 * Source: Model Context Protocol 2025-11-25, server/tools, "Tool Result".
 */
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ActionContext, AttachmentDetails } from 'svc-sdk';
import {
  type BlockDetails,
  type ContentBlock,
  describeBlock,
  fileName,
  MAX_CONTENT_BLOCKS,
  type ResourceBlock,
} from '#sdk/protocol/content';
import { charsetOf, decodeText, withoutBom } from '#sdk/protocol/decode-text';
import { isObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { isUnsafeNumber, parseWithDigits } from '#sdk/protocol/number-digits';
import { UpstreamError } from './upstream-error';

/** The service cuts results at a lower limit, and a frame of a toolkit holds 8 MiB. */
const MAX_RESULT_CHARS = 2 * 1024 * 1024;
/** Space for the JSON around the attachments. */
const ATTACHMENT_ROOM_CHARS = 16 * 1024;
const MAX_URI_CHARS = 2_048;
const MAX_DATE_CHARS = 100;

type McpBlock = CallToolResult['content'][number];
export type Attaching = Pick<ActionContext, 'image' | 'audio' | 'file' | 'link' | 'text'>;

export function readToolResult(ctx: Attaching, { content, structuredContent, isError }: CallToolResult): unknown {
  const texts = content.flatMap((block) => (block.type === 'text' ? [withoutBom(block.text)] : []));
  if (isError) throw toolError(texts, structuredContent);
  const others = content.filter((block) => block.type !== 'text');
  const beside = content.filter(
    (block) => block.type === 'text' && isObject(structuredContent) && !repeats(withoutBom(block.text), structuredContent),
  );
  return resultBesideBlocks(ctx, structuredContent ?? resultOf(texts), [...beside, ...others]);
}

/** The result, cut to the size of a frame. */
export function resultBesideBlocks(ctx: Attaching, whole: unknown, blocks: readonly McpBlock[]): unknown {
  const result = fitting(whole);
  attach(ctx, blocks, sizeOf(result));
  return result;
}

function toolError(texts: string[], data: unknown): UpstreamError {
  const message = texts.join('\n').trim() || 'The tool failed and gave no reason';
  return new UpstreamError('TOOL_ERROR', message, data === undefined ? {} : { data });
}

function resultOf(texts: string[]): unknown {
  if (texts.length === 0) return null;
  return texts.length === 1 ? parsed(texts[0] ?? '') : texts;
}

function parsed(text: string): unknown {
  const value = parseMembers(text);
  // `12` and `true` are more often words than numbers.
  return typeof value === 'object' && value !== null ? value : text;
}

/** Servers repeat the structured content as text, whole or its main member, for clients that read only texts. */
function repeats(text: string, structured: Record<string, unknown>): boolean {
  return Object.values(structured).includes(text) || isObject(parseMembers(text));
}

function parseMembers(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseWithDigits(text, isUnsafeNumber);
  } catch {
    return undefined;
  }
}

function fitting(result: unknown): unknown {
  if (sizeOf(result) <= MAX_RESULT_CHARS) return result;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return `${text.slice(0, MAX_RESULT_CHARS)}\n[${text.length - MAX_RESULT_CHARS} more characters are left out: ask for less]`;
}

function sizeOf(result: unknown): number {
  if (typeof result === 'string') return result.length;
  try {
    return JSON.stringify(result)?.length ?? 0;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UpstreamError('TOOL_ERROR', 'The result is nested too deep to be passed on; the tool has run');
  }
}

/** Blocks beyond the limits of a result become words, so that its other parts arrive. */
function attach(ctx: Attaching, blocks: readonly McpBlock[], resultChars: number): void {
  let room = DEFAULT_LIMITS.resultBytes - ATTACHMENT_ROOM_CHARS - resultChars;
  const leftOut: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const size = sizeOf(block);
    const fits = size <= room && index < MAX_CONTENT_BLOCKS - 1;
    if (fits && attachBlock(ctx, block)) room -= size;
    else leftOut.push(block.type === 'text' ? `[text, ${block.text.length} characters]` : describeBlock(toContentBlock(block)));
  }
  if (leftOut.length > 0) ctx.text(`Left out of the result: ${leftOut.join(' ').slice(0, ATTACHMENT_ROOM_CHARS / 4)}`);
}

/** False for a block that agents cannot receive, such as an image with a media type that is not an image's. */
function attachBlock(ctx: Attaching, block: McpBlock): boolean {
  try {
    attachTo(ctx, block);
    return true;
  } catch {
    return false;
  }
}

function attachTo(ctx: Attaching, block: McpBlock): void {
  const details = detailsOf(block as BlockDetails);
  switch (block.type) {
    case 'text':
      ctx.text(withoutBom(block.text), details);
      break;
    case 'image':
    case 'audio':
      ctx[block.type](Buffer.from(block.data, 'base64'), block.mimeType, details);
      break;
    case 'resource': {
      const { resource } = toContentBlock(block) as ResourceBlock;
      const { uri, text, blob = '', mimeType = text === undefined ? 'application/octet-stream' : 'text/plain' } = resource;
      const own = uri.length <= MAX_URI_CHARS ? { uri } : {};
      ctx.file(text === undefined ? readBlob(blob, mimeType) : withoutBom(text), mimeType, fileName(resource), { ...own, ...details });
      break;
    }
    case 'resource_link': {
      const { uri, name, title, description, mimeType, size } = block;
      if (uri.length > MAX_URI_CHARS) throw new RangeError('The URI is too long');
      ctx.link(uri, { name, title, description, mediaType: mimeType, size, ...details });
    }
  }
}

/** Attachments have no charset. */
function readBlob(blob: string, mimeType: string): string | Buffer {
  const bytes = Buffer.from(blob, 'base64');
  const text = /^text\//i.test(mimeType) ? decodeText(bytes, { charset: charsetOf(mimeType), isText: true }) : undefined;
  return text ?? bytes;
}

/** A detail beyond the limits would make the service refuse the whole result. */
function detailsOf({ annotations, _meta }: BlockDetails): AttachmentDetails {
  const { audience, priority, lastModified } = annotations ?? {};
  const stated = {
    ...(audience && { audience: [...new Set(audience)] }),
    ...(priority !== undefined && { priority }),
    ...(lastModified !== undefined && lastModified.length <= MAX_DATE_CHARS && { lastModified }),
  };
  return { annotations: Object.keys(stated).length > 0 ? stated : undefined, _meta };
}

function toContentBlock(block: Exclude<McpBlock, { type: 'text' }>): ContentBlock {
  return block as ContentBlock;
}
