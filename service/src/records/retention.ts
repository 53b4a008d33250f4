import type { Settings } from '#sdk/protocol/admin';
import { DAY_MS, utcDay } from '../lib/utc-day';
import type { Store } from '../store/store';

/** A mark beside the settings in the store: content may be stored. It outlives the node that should remove the content. */
export const CONTENT_IS_KEPT = 'contentIsKept';

/** A year, and the same month of the year before. */
const LONG_COUNTS_DAYS = 400;
/** The console shows counts by the minute for these days. */
export const MINUTE_COUNTS_DAYS = 2;

/** Removes data that is older than the settings allow, or not allowed at all. It works in small steps, so that calls do not wait. */
export async function applyRetention(
  {
    invocations,
    counts,
    searches,
    sessionRequests,
    sessionSums,
    listings,
    oauth,
    settings,
  }: Pick<Store, 'invocations' | 'counts' | 'searches' | 'sessionRequests' | 'sessionSums' | 'listings' | 'oauth' | 'settings'>,
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
  await sessionRequests.prune(before);
  await sessionSums.prune(before);
  await listings.prune(utcDay(now) - LONG_COUNTS_DAYS);
  await oauth.removeGrants(now - DAY_MS);
  // The change of the setting removed the rest. A node that was killed before it knew of the change may have left some.
  if (searchTexts === 'off') {
    await searches.clear();
    await sessionRequests.forgetQueries();
    await sessionSums.forgetModels();
  }
  if (content === 'off' && (await settings.all()).some(({ name, value }) => name === CONTENT_IS_KEPT && value === true)) {
    await invocations.forgetContent();
    await settings.put([{ name: CONTENT_IS_KEPT, value: false }], now);
  }
}
