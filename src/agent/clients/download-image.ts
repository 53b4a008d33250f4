/** Downloads pictures that people send, from URLs without credentials. */

import { imageDataUrl } from '../chat/images';
import { pause } from '../lib/races';
import { readImageBytes } from './image-bytes';
import { retryWaitMs } from './retry-wait';

const TRIES = 3;
const TIMEOUT_MS = 20_000;

/**
 * @returns a data URL; undefined for a picture that is too large, of another type, or unavailable, since the text of its message must not wait
 * @throws the reason of the signal
 */
export async function downloadImage(url: string, signal: AbortSignal): Promise<string | undefined> {
  for (let tried = 1; ; tried += 1) {
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
      if (response.ok) {
        const bytes = await readImageBytes(response);
        return bytes && imageDataUrl(bytes);
      }
      await response.body?.cancel();
      if (response.status !== 429 && response.status < 500) return undefined;
    } catch {
      signal.throwIfAborted();
    }
    if (tried === TRIES) return undefined;
    await pause(retryWaitMs(tried), signal);
  }
}
