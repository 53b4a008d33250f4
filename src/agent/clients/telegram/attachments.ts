/** Adds the files of a message: pictures as images, other files as placeholder texts. */
import { imageDataUrl, MAX_IMAGES } from '../../chat/images';
import type { MessageContext } from '../../chat/message-context';
import type { ReadMessage } from './read-message';
import type { TelegramApi } from './telegram-api';

/** @throws TelegramFailure for a wrong token; the signal's reason */
export async function withAttachments({ ctx, attachments }: ReadMessage, api: TelegramApi, signal: AbortSignal): Promise<MessageContext> {
  const images: string[] = [];
  const leftOut: string[] = [];
  for (const { name, fileId } of attachments) {
    const bytes = fileId !== undefined && images.length < MAX_IMAGES ? await api.download(fileId, signal) : undefined;
    const image = bytes && imageDataUrl(bytes);
    if (image) images.push(image);
    else leftOut.push(`[attachment that cannot be read: ${name}]`);
  }
  const message = [ctx.message, ...leftOut].filter(Boolean).join('\n');
  return { ...ctx, message, ...(images.length > 0 && { images }) };
}
