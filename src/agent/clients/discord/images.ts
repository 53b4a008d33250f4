/** Downloads pictures that people attach. Discord's CDN needs no token; its signed URLs are not stored. */
import type { APIAttachment } from 'discord-api-types/v10';
import { MAX_IMAGE_BYTES, MAX_IMAGES } from '../../chat/images';
import { downloadImage } from '../download-image';

/** `leftOut` names attachments of another type, too large, too many, or missing. */
export async function downloadImages(
  attachments: readonly APIAttachment[],
  signal: AbortSignal,
): Promise<{ images: string[]; leftOut: string[] }> {
  const images: string[] = [];
  const leftOut: string[] = [];
  for (const { url, size, filename } of attachments) {
    const image = images.length < MAX_IMAGES && size <= MAX_IMAGE_BYTES ? await downloadImage(url, signal) : undefined;
    if (image) images.push(image);
    else leftOut.push(filename);
  }
  return { images, leftOut };
}
