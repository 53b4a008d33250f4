/**
 * Images, files and links that a handler makes: `ctx.image(png, 'image/png')`.
 *
 * Errors: ActionError INVALID_RESULT, whose message says what to write instead.
 */
import { type BlockDetails, type ContentBlock, describeBlock } from '../protocol/content';
import { ActionError } from './action-error';

/** Bytes, such as a Buffer, a Uint8Array or an ArrayBuffer. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** Sent with the result. Inside the result's JSON, an attachment becomes a text such as `[image image/png, 34 KB]`. */
export interface Attachment {
  toJSON(): string;
}

/** The audience of an attachment, and data for programs. Models receive neither. */
export interface AttachmentDetails {
  annotations?: BlockDetails['annotations'] | undefined;
  _meta?: BlockDetails['_meta'] | undefined;
}

export interface FileDetails extends AttachmentDetails {
  /** A unique name, such as the URI of an MCP server's resource, which is not fetched. Default: a URI made from the file's name. */
  uri?: string | undefined;
}

export interface LinkDetails extends AttachmentDetails {
  /** Default: the last part of the address. */
  name?: string | undefined;
  /** A text for people. */
  title?: string | undefined;
  description?: string | undefined;
  mediaType?: string | undefined;
  /** Bytes. */
  size?: number | undefined;
}

/** Parameters such as `; charset=utf-8` are removed before the check. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const TEXT_TYPE = /^text\/|^application\/(json|xml|yaml|javascript|sql)$|\+(json|xml)$/;

export class MadeAttachment implements Attachment {
  readonly block: ContentBlock;

  constructor(block: ContentBlock) {
    this.block = block;
  }

  toJSON(): string {
    return describeBlock(this.block);
  }
}

export function textBlock(text: string, details?: AttachmentDetails): ContentBlock {
  if (typeof text !== 'string') throw invalid('ctx.text(text) takes a text');
  return { type: 'text', text, ...detailsOf(details) };
}

export function mediaBlock(type: 'image' | 'audio', bytes: Bytes, mediaType: string, details?: AttachmentDetails): ContentBlock {
  const mimeType = checkMediaType(mediaType);
  const example = type === 'image' ? 'image/png' : 'audio/mpeg';
  if (!mimeType.startsWith(`${type}/`))
    throw invalid(`ctx.${type}(bytes, mediaType) takes a media type such as "${example}", not "${mimeType}"; use ctx.file for other files`);
  return { type, data: base64(bytes, `ctx.${type}`), mimeType, ...detailsOf(details) };
}

/** @param uri a unique name, which is not fetched */
export function fileBlock(content: Bytes | string, mediaType: string, uri: string, details?: AttachmentDetails): ContentBlock {
  const mimeType = checkMediaType(mediaType);
  const text = typeof content === 'string' ? content : TEXT_TYPE.test(mimeType) ? utf8(content) : undefined;
  const resource = text === undefined ? { uri, mimeType, blob: base64(content as Bytes, 'ctx.file') } : { uri, mimeType, text };
  return { type: 'resource', resource, ...detailsOf(details) };
}

export function linkBlock(uri: string, { name, title, description, mediaType, size, ...details }: LinkDetails = {}): ContentBlock {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url) throw invalid(`ctx.link(uri) takes a whole address such as "https://example.com/report.pdf", not ${JSON.stringify(uri)}`);
  return {
    type: 'resource_link',
    uri: String(uri),
    name: name ?? (url.pathname.split('/').findLast((part) => part !== '') || url.host || String(uri)),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mediaType !== undefined && { mimeType: checkMediaType(mediaType) }),
    ...(size !== undefined && { size }),
    ...detailsOf(details),
  };
}

function detailsOf({ annotations, _meta }: AttachmentDetails = {}): BlockDetails {
  return { ...(annotations && { annotations }), ...(_meta && { _meta }) };
}

function checkMediaType(mediaType: unknown): string {
  const [type = ''] = String(mediaType).toLowerCase().split(';');
  if (MEDIA_TYPE.test(type.trim())) return type.trim();
  throw invalid(`A media type looks like "image/png", not ${JSON.stringify(mediaType) ?? 'nothing'}`);
}

function base64(bytes: Bytes, method: string): string {
  const buffer = toBuffer(bytes, method);
  // Model APIs refuse a whole conversation for an empty image.
  if (buffer.length === 0) throw invalid(`${method} got no bytes`);
  return buffer.toString('base64');
}

/** Undefined for bytes that are not UTF-8. */
function utf8(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(toBuffer(bytes, 'ctx.file'));
  } catch (error) {
    if (error instanceof ActionError) throw error;
    return undefined;
  }
}

function toBuffer(bytes: Bytes, method: string): Buffer {
  if (bytes instanceof ArrayBuffer) return Buffer.from(bytes);
  if (ArrayBuffer.isView(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw invalid(`${method} takes bytes, such as a Buffer or a Uint8Array; of a Blob or a Response, give it \`await it.arrayBuffer()\``);
}

function invalid(message: string): ActionError {
  return new ActionError('INVALID_RESULT', message);
}
