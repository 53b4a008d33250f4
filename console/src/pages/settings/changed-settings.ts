import type { Settings } from '../../../../src/protocol/admin';

/** What of a draft differs from what is stored. */
export function changedSettings(stored: Settings, draft: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Settings])),
  );
}
