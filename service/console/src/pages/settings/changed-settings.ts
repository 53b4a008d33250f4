import type { Settings } from '#sdk/protocol/admin';
import { formatPlural } from '../../parts/format';

/** The settings of a draft that differ from the stored ones. */
export function changedSettings(stored: Settings, draft: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Settings])),
  );
}

/** The data that saving deletes permanently; undefined if it deletes nothing. */
export function lossOf(stored: Settings, { content, retentionDays }: Partial<Settings>): string | undefined {
  const losses = [
    content === 'off' && 'all stored payloads and results',
    retentionDays !== undefined &&
      retentionDays < stored.retentionDays &&
      `records of calls older than ${formatPlural(retentionDays, 'day')}`,
  ].filter((loss) => loss !== false);
  return losses.length > 0 ? `Saving deletes ${losses.join(', and ')}.` : undefined;
}
