/** Pictures that people attach. Discord's CDN asks for no token, and its signed addresses are not kept. */
import { setTimeout as wait } from 'node:timers/promises';
import type { APIAttachment } from 'discord-api-types/v10';
import { imageDataUrl, MAX_IMAGE_BYTES, MAX_IMAGES } from '../../chat/images';
import { retryDelay } from './api';

const DOWNLOAD_TRIES = 3;
const DOWNLOAD_TIMEOUT_MS = 20_000;

/** `leftOut` names the other attachments: another type, too large, too many, or gone. */
export async function downloadImages(
  attachments: readonly APIAttachment[],
  signal: AbortSignal,
): Promise<{ images: string[]; leftOut: string[] }> {
  const images: string[] = [];
  const leftOut: string[] = [];
  for (const { url, size, filename } of attachments) {
    const bytes = images.length < MAX_IMAGES && size <= MAX_IMAGE_BYTES ? await download(url, signal) : undefined;
    const image = bytes && imageDataUrl(bytes);
    if (image) images.push(image);
    else leftOut.push(filename);
  }
  return { images, leftOut };
}

async function download(url: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]) });
      if (response.ok) return await readCapped(response);
      await response.body?.cancel();
      if (response.status !== 429 && response.status < 500) return undefined;
    } catch {
      signal.throwIfAborted();
    }
    if (tries === DOWNLOAD_TRIES) return undefined;
    await wait(retryDelay(tries), undefined, { signal });
  }
}

/** Undefined for more bytes than the limit, whatever size Discord named. */
async function readCapped({ body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_IMAGE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
