/**
 * Images, files and links beside the JSON of a result, in MCP's content types. docs/protocol.md, section 5.
 *
 * Shape:  `data` and `blob` are standard base64 with padding.
 * Source: Model Context Protocol 2025-06-18, server/tools, "Tool Result".
 */
export type ContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceBlock | LinkBlock;

/** Whom a block is for, and what its maker says of it. No text for a model has them. */
export interface BlockDetails {
  annotations?: {
    audience?: ('user' | 'assistant')[];
    /** A number from 0, optional, to 1, required. */
    priority?: number;
    /** ISO 8601. */
    lastModified?: string;
  };
  _meta?: Record<string, unknown>;
}

export interface TextBlock extends BlockDetails {
  type: 'text';
  text: string;
}

export interface ImageBlock extends BlockDetails {
  type: 'image';
  data: string;
  mimeType: string;
}

export interface AudioBlock extends BlockDetails {
  type: 'audio';
  data: string;
  mimeType: string;
}

/** A file that comes along: `text` of one that is text, else `blob`. */
export interface ResourceBlock extends BlockDetails {
  type: 'resource';
  resource: { uri: string; mimeType?: string; text?: string; blob?: string };
}

export interface LinkBlock extends BlockDetails {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** Bytes. */
  size?: number;
}

/** Blocks of one result. Model APIs take 20 images in a request, or more. */
export const MAX_CONTENT_BLOCKS = 32;

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingOf(text)));
}

/** A block in words, for a reader who cannot see it: `[image image/png, 34 KB]`. Text is itself. Never base64. */
export function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${sizeOf(block.data)}]`;
    case 'resource':
      return describeResource(block.resource);
    case 'resource_link':
      return describeLink(block);
  }
}

/** The block for those who only want to know what there was: `34 KB` in the place of base64. */
export function withoutBytes(block: ContentBlock): ContentBlock {
  if (block.type === 'image' || block.type === 'audio') return { ...block, data: sizeOf(block.data) };
  if (block.type !== 'resource' || block.resource.blob === undefined) return block;
  return { ...block, resource: { ...block.resource, blob: sizeOf(block.resource.blob) } };
}

/** The last part of its URI. */
export function fileName({ uri }: ResourceBlock['resource']): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name) || uri;
  } catch {
    return name; // A single `%`.
  }
}

function describeResource(resource: ResourceBlock['resource']): string {
  const { mimeType, text, blob = '' } = resource;
  if (text !== undefined) return `[file ${inWords(fileName(resource), mimeType)}]\n${text}`;
  return `[file ${inWords(fileName(resource), mimeType, sizeOf(blob))}]`;
}

function describeLink({ uri, name, title, description, mimeType, size }: LinkBlock): string {
  const about = inWords(title ?? name, mimeType, size === undefined ? undefined : formatBytes(size), description);
  return `[link ${about}: ${uri}]`;
}

function inWords(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(', ');
}

function sizeOf(base64: string): string {
  return formatBytes((base64.length / 4) * 3 - paddingOf(base64));
}

function paddingOf(base64: string): number {
  if (base64.endsWith('==')) return 2;
  return base64.endsWith('=') ? 1 : 0;
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
