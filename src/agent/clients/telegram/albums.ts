/** Albums. Each picture of an album is a message of its own, and an update of its own. */
import type { Update as TelegramUpdate } from 'grammy/types';

/** The first update, or all updates at the start that belong to its album. */
export function firstTogether(updates: readonly TelegramUpdate[]): TelegramUpdate[] {
  const album = albumOf(updates[0]);
  const end = album === undefined ? 1 : updates.findIndex((update) => albumOf(update) !== album);
  return updates.slice(0, end === -1 ? updates.length : end);
}

/** Whether more of an album may be on its way. */
export function isOpenAlbum(updates: readonly TelegramUpdate[]): boolean {
  return albumOf(updates[0]) !== undefined && firstTogether(updates).length === updates.length;
}

function albumOf(update: TelegramUpdate | undefined): string | undefined {
  return update?.message?.media_group_id;
}
