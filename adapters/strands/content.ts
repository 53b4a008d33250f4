import { DocumentBlock, ImageBlock, type ImageFormat, TextBlock, type ToolResultContent } from '@strands-agents/sdk';
import type { ModelMedia, ToolAnswer } from 'svc-sdk';

/** A text, also for JSON: Strands puts a list into the member `$value` of an object, and takes some objects for content. */
export function toStrandsContent({ content, media = [] }: ToolAnswer, images: boolean): ToolResultContent[] {
  // OpenAI's models of Strands refuse an empty text.
  return [new TextBlock(content || '""'), ...(images ? media.map(toBlock) : [])];
}

function toBlock({ mediaType, data, name }: ModelMedia): ImageBlock | DocumentBlock {
  const format = mediaType.slice(mediaType.indexOf('/') + 1);
  const source = { bytes: Uint8Array.from(atob(data), (character) => character.charCodeAt(0)) };
  if (mediaType.startsWith('image/')) return new ImageBlock({ format: format as ImageFormat, source });
  return new DocumentBlock({ name: name ?? 'file', format: 'pdf', source });
}
