import { MAX_IMAGE_BYTES } from '../chat/images';

/** The bytes of a picture; undefined above the limit, even if the platform reported a smaller size. */
export async function readImageBytes({ body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_IMAGE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
