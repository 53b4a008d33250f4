/** Groups the options of the service by their unit, and shows their values in units for people. */
import type { SettingsPage } from '#sdk/protocol/admin';
import { formatBytes, formatCount, formatMs } from '../../parts/format';

export type FixedSetting = SettingsPage['fixed'][number];

export interface FixedGroup {
  title: string;
  settings: readonly FixedSetting[];
}

const TITLES = ['Service', 'Times', 'Sizes', 'Numbers'] as const;
type Title = (typeof TITLES)[number];

export function fixedGroups(fixed: readonly FixedSetting[]): FixedGroup[] {
  const groups = Map.groupBy(fixed, titleOf);
  return TITLES.flatMap((title) => {
    const settings = groups.get(title);
    return settings ? [{ title, settings }] : [];
  });
}

/** The value in words, such as `64 MiB` for 67108864 bytes; the value itself for a text. */
export function humanValue({ name, value }: FixedSetting): string {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return value;
  const unit = unitOf(name);
  if (unit === 'Times') return formatMs(number);
  return unit === 'Sizes' ? formatBytes(number) : formatCount(number);
}

function titleOf({ name, value }: FixedSetting): Title {
  return /^\d+$/.test(value) ? (unitOf(name) ?? 'Numbers') : 'Service';
}

function unitOf(name: string): 'Times' | 'Sizes' | undefined {
  if (/Ms$/.test(name)) return 'Times';
  return /Bytes/.test(name) ? 'Sizes' : undefined;
}
