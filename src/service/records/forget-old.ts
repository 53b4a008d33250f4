import type { Settings } from '../../protocol/admin';
import type { Store } from '../store/store';

/** In the store beside the settings: content may be there. It outlives the node that was to remove it. */
export const CONTENT_IS_KEPT = 'contentIsKept';

const DAY_MS = 24 * 60 * 60 * 1000;
/** For the long view: a year and the same month of the one before. */
const LONG_COUNTS_DAYS = 400;
/** Only what is nearer than this is looked at by the minute. */
export const MINUTE_COUNTS_DAYS = 2;

/** Removes what the settings do not let become so old, or be there at all. In small steps, so that nobody waits for it. */
export async function forgetOld(
  { invocations, counts, searches, settings }: Pick<Store, 'invocations' | 'counts' | 'searches' | 'settings'>,
  { retentionDays, content, searchTexts }: Settings,
): Promise<void> {
  const now = Date.now();
  const before = now - retentionDays * DAY_MS;
  await invocations.remove(before);
  await counts.prune({ step: 60, before: now - MINUTE_COUNTS_DAYS * DAY_MS });
  for (const step of [3_600, 86_400] as const) {
    await counts.prune({ step, before: now - Math.max(retentionDays, LONG_COUNTS_DAYS) * DAY_MS });
  }
  await searches.prune(before);
  // It was removed when that was set, but for what a node wrote that was killed before it had heard.
  if (searchTexts === 'off') await searches.clear();
  if (content === 'off' && (await settings.all()).some(({ name, value }) => name === CONTENT_IS_KEPT && value === true)) {
    await invocations.forgetContent();
    await settings.put([{ name: CONTENT_IS_KEPT, value: false }], now);
  }
}
