/**
 * The answer to a call for people: texts, and words in place of bytes. Each further line of a text is indented, so that it does not look like a line of
 * the command.
 */
import type { ContentBlock } from 'svc-sdk';
import { fileName } from '../../protocol/content';
import { printableJson } from '../../protocol/invisible-text';
import { byteCount } from '../byte-count';
import { oneLine } from '../line';

export function resultText(result: unknown): string {
  return typeof result === 'string' ? hanging(result) : printableJson(JSON.stringify(result, null, 2));
}

/** `[image/png, 182 kB]`. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return hanging(block.text);
    case 'image':
    case 'audio':
      return words(block.mimeType, bytesOf(block.data));
    case 'resource': {
      const { mimeType, text, blob = '' } = block.resource;
      const name = fileName(block.resource);
      return text === undefined ? words(name, mimeType, bytesOf(blob)) : `${words(name, mimeType)}\n  ${hanging(text)}`;
    }
    case 'resource_link': {
      const { uri, name, title = name, mimeType, size, description } = block;
      const about = [mimeType, size === undefined ? undefined : byteCount(size), description];
      return `${words(title, ...about)} ${oneLine(uri)}`;
    }
  }
}

function hanging(text: string): string {
  return text.trimEnd().replaceAll('\n', '\n  ');
}

function bytesOf(base64: string): string {
  return byteCount(Buffer.byteLength(base64, 'base64'));
}

function words(...parts: (string | undefined)[]): string {
  return oneLine(`[${parts.filter((part) => part !== undefined).join(', ')}]`);
}
