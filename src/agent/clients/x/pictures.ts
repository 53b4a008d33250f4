/** Downloads pictures that people send, and uploads pictures that tools return. */
import { MAX_IMAGES, readImageDataUrl } from '../../chat/images';
import { downloadImage } from '../download-image';
import { type XApi, XRefusal } from './api';

/** GIF is missing: X needs a chunked upload for animated GIFs. */
const UPLOAD_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * The photos as data URLs. An unreadable photo is left out, since the text must not wait.
 *
 * @param origin the origin of the API, allowed in addition to X's image servers
 */
export async function downloadPhotos(urls: readonly string[], origin: string, signal: AbortSignal): Promise<string[]> {
  const images: string[] = [];
  for (const url of urls.filter((url) => isOfX(url, origin)).slice(0, MAX_IMAGES)) {
    const image = await downloadImage(url, signal);
    if (image) images.push(image);
  }
  return images;
}

/**
 * Ids for `media_ids` of a post, four at most. An image that X refuses is left out, so that the text is still posted.
 *
 * Source: docs.x.com, "Upload media": `POST /2/media/upload`.
 */
export async function uploadImages(
  api: XApi,
  dataUrls: readonly string[],
  request: { signal: AbortSignal; tries: number },
): Promise<string[]> {
  const images = dataUrls.flatMap((url) => readImageDataUrl(url) ?? []);
  const ids: string[] = [];
  for (const { mediaType, bytes } of images.filter(({ mediaType }) => UPLOAD_TYPES.includes(mediaType)).slice(0, 4)) {
    const body = new FormData();
    body.set('media_category', 'tweet_image');
    body.set('media_type', mediaType);
    body.set('media', new Blob([new Uint8Array(bytes)], { type: mediaType }), 'image');
    try {
      const { data } = (await api.send('POST', '/2/media/upload', { body, ...request })).body as { data?: { id?: string } };
      if (data?.id) ids.push(data.id);
    } catch (error) {
      if (!(error instanceof XRefusal)) throw error;
    }
  }
  return ids;
}

function isOfX(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin: found } = new URL(url);
  return found === origin || (protocol === 'https:' && hostname.endsWith('.twimg.com'));
}
