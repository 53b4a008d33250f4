/**
 * The picture at an address that only a source names: over https, from a public address, without redirects.
 *
 * Units:  milliseconds, bytes.
 * Errors: none; undefined unless the bytes are a small PNG, JPEG or WebP. An SVG could hold scripts.
 */
import { iconTypeOf, MAX_ICON_BYTES } from '#sdk/protocol/toolkit-profile';
import { publicFetch } from './openapi/public-fetch';
import type { SendFunction } from './openapi/send-request';

const DEADLINE_MS = 5_000;

/**
 * @param address an https address, or a data URL that a toolkit may have
 * @param send for tests, which have no public network
 */
export async function fetchIcon(address: string, send: SendFunction = publicFetch): Promise<string | undefined> {
  if (address.startsWith('data:')) return address;
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await send(new URL(address), { signal, headers: { accept: 'image/png, image/jpeg, image/webp' } });
    if (response.ok) return dataUrlOf(await smallBody(response));
    // An unread body would keep the socket.
    await response.body?.cancel();
  } catch {
    // A picture that cannot be read is left out.
  }
  return undefined;
}

function dataUrlOf(bytes: Buffer | undefined): string | undefined {
  const type = bytes && iconTypeOf(bytes);
  return type && `data:${type};base64,${bytes.toString('base64')}`;
}

/** Undefined for a body that an icon may not have. */
async function smallBody({ body }: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ICON_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
