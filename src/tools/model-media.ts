/**
 * The parts of a result that a model can look at: images, and PDFs for models that read them.
 *
 * If an image does not match its media type, a model API refuses every later request of the conversation. So the first bytes decide, and other
 * files stay words.
 */
import { type ContentBlock, fileName } from '../protocol/content';

export interface ModelMedia {
  /** `image/png`, `image/jpeg`, `image/gif`, `image/webp` or `application/pdf`, by the bytes. */
  mediaType: string;
  /** Base64. */
  data: string;
  name: string;
}

export function modelMedia(blocks: readonly ContentBlock[]): ModelMedia[] {
  return blocks.flatMap((block, index) => {
    const { data, name } = bytesOf(block) ?? {};
    const mediaType = data && typeByBytes(data);
    return data && mediaType ? [{ mediaType, data, name: name ?? `${mediaType.split('/')[0]}-${index + 1}` }] : [];
  });
}

function bytesOf(block: ContentBlock): { data: string | undefined; name?: string } | undefined {
  if (block.type === 'image') return { data: block.data };
  return block.type === 'resource' ? { data: block.resource.blob, name: fileName(block.resource) } : undefined;
}

function typeByBytes(base64: string): string | undefined {
  const start = atob(base64.slice(0, 16));
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return start.startsWith('%PDF-') ? 'application/pdf' : undefined;
}
