/** 90 days of a toolkit: uptime, calls, success and latency, as bars and as a table. */
import { html } from 'hono/html';
import { DAY_MS, dayText, utcDay } from '../lib/utc-day';
import type { UptimeDay } from '../store/listing-store';
import type { Html } from './document';
import type { Numbers } from './numbers';
import { formatShare, formatWhole, readableMs } from './words';

export const STATUS_DAYS = 90;
const MINUTE_MS = 60_000;
const BAR = { width: 8, gap: 2, height: 48 };

export interface StatusDay {
  day: number;
  /** Minutes in which the toolkit was online, of those in which the service ran and the toolkit was registered. */
  online: number;
  counted: number;
  numbers: Numbers;
}

export interface StatusFacts {
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
  uptime: readonly UptimeDay[];
  /** Day -> numbers; days without calls are absent. */
  numbers: ReadonlyMap<number, Numbers>;
}

const NO_CALLS: Numbers = { calls: 0, success: undefined, p95Ms: undefined };

export function statusDays({ now, createdAt, uptime, numbers }: StatusFacts): StatusDay[] {
  const today = utcDay(now);
  const byDay = new Map(uptime.map((day) => [day.day, day]));
  return Array.from({ length: STATUS_DAYS }, (_, index) => {
    const day = today - STATUS_DAYS + 1 + index;
    return { day, ...minutesOf(byDay.get(day), createdAt, now), numbers: numbers.get(day) ?? NO_CALLS };
  });
}

/** Minutes before the creation of the toolkit do not count. */
function minutesOf(minutes: UptimeDay | undefined, createdAt: number, now: number): Pick<StatusDay, 'online' | 'counted'> {
  if (!minutes) return { online: 0, counted: 0 };
  const { day, online, counted } = minutes;
  const end = Math.min(now, (day + 1) * DAY_MS);
  const since = Math.floor((end - createdAt) / MINUTE_MS);
  return { online, counted: Math.max(online, Math.min(counted, since)) };
}

/** 0 to 1. Undefined where no minute counts. */
function shareOf({ online, counted }: Pick<StatusDay, 'online' | 'counted'>): number | undefined {
  return counted === 0 ? undefined : online / counted;
}

export function statusPart(days: readonly StatusDay[], isOnline: boolean): Html {
  const sum = (of: (day: StatusDay) => number) => days.reduce((total, day) => total + of(day), 0);
  const share = shareOf({ online: sum(({ online }) => online), counted: sum(({ counted }) => counted) });
  const slowest = Math.max(1, ...days.map(({ numbers }) => numbers.p95Ms ?? 0));
  return html`<h2>Status</h2>
<p>${isOnline ? html`<span class="good">Online now.</span>` : html`<span class="bad">Offline now.</span>`} ${share === undefined ? 'No minute is counted yet.' : `Online in ${formatShare(share)} of the counted minutes of ${STATUS_DAYS} days.`}</p>
<h3 id="uptime">Uptime by day</h3>
${chart('Uptime by day', days, (day) => ({ share: Math.max(0.15, shareOf(day) ?? 0), kind: uptimeKind(shareOf(day)) }))}
<h3 id="latency">p95 latency by day</h3>
${chart('p95 latency by day', days, ({ numbers }) => ({ share: (numbers.p95Ms ?? 0) / slowest, kind: 'bar' }))}
<details><summary>As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Status by day"><table><thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="number">Uptime</th><th scope="col" class="number">Calls</th><th scope="col" class="number">Success</th><th scope="col" class="number">p95</th></tr></thead>
<tbody>${days
    .filter(({ counted, numbers }) => counted > 0 || numbers.calls > 0)
    .toReversed()
    .map(
      ({ day, numbers, ...minutes }) =>
        html`<tr><td>${dayText(day)}</td><td class="number">${percentOf(shareOf(minutes))}</td><td class="number">${formatWhole(numbers.calls)}</td><td class="number">${percentOf(numbers.success)}</td><td class="number">${numbers.p95Ms === undefined ? '–' : readableMs(numbers.p95Ms)}</td></tr>`,
    )}</tbody></table></div></details>`;
}

function percentOf(share: number | undefined): string {
  return share === undefined ? '–' : formatShare(share);
}

function uptimeKind(share: number | undefined): string {
  if (share === undefined) return 'none';
  if (share >= 0.99) return 'up';
  return share >= 0.5 ? 'part' : 'down';
}

function chart(label: string, days: readonly StatusDay[], barOf: (day: StatusDay) => { share: number; kind: string }): Html {
  const width = days.length * (BAR.width + BAR.gap);
  return html`<svg viewBox="0 0 ${width} ${BAR.height}" role="img" aria-label="${label}, from ${dayText(days[0]?.day ?? 0)} on; the table below has the numbers">${days.map(
    (day, index) => {
      const { share, kind } = barOf(day);
      const height = Math.round(share * BAR.height * 10) / 10;
      return html`<rect class="${kind}" x="${index * (BAR.width + BAR.gap)}" y="${BAR.height - height}" width="${BAR.width}" height="${height}"/>`;
    },
  )}</svg>`;
}
