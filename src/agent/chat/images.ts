/** Images as data URLs: what people send, and what tools return. */

/** Anthropic's limit for one image, the smallest of the large providers'. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Images of one message that are read; the others are left out. */
export const MAX_IMAGES = 4;

/** The data URL of an image; undefined for other bytes than PNG, JPEG, GIF or WebP, and for too many. */
export function imageDataUrl(bytes: Uint8Array): string | undefined {
  const type = bytes.length <= MAX_IMAGE_BYTES && imageTypeOf(bytes);
  return type ? `data:${type};base64,${Buffer.from(bytes).toString('base64')}` : undefined;
}

/** The type and the bytes of an image's data URL; undefined for any other text. */
export function readImageDataUrl(url: string): { mediaType: string; bytes: Uint8Array } | undefined {
  const [, mediaType, data] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]*={0,2})$/.exec(url) ?? [];
  return mediaType && data ? { mediaType, bytes: Buffer.from(data, 'base64') } : undefined;
}

/** The first bytes decide: the platforms pass on the type that the sender claimed. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}
