/** Groups the updates of an album: Telegram sends each picture as a separate message and update. */
import type { Update as TelegramUpdate } from 'grammy/types';

/** The first update, with the following updates of the same album. */
export function firstTogether(updates: readonly TelegramUpdate[]): TelegramUpdate[] {
  const album = albumOf(updates[0]);
  const end = album === undefined ? 1 : updates.findIndex((update) => albumOf(update) !== album);
  return updates.slice(0, end === -1 ? updates.length : end);
}

/** True if more pictures of the album may follow. */
export function isOpenAlbum(updates: readonly TelegramUpdate[]): boolean {
  return albumOf(updates[0]) !== undefined && firstTogether(updates).length === updates.length;
}

function albumOf(update: TelegramUpdate | undefined): string | undefined {
  return update?.message?.media_group_id;
}
