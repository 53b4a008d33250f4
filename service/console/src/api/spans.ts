/** Time ranges: spans that end now, by name, and ranges between two times. */
export const SPANS = {
  '1h': { label: 'Last hour', short: '1 h', seconds: 3_600 },
  '6h': { label: 'Last 6 hours', short: '6 h', seconds: 6 * 3_600 },
  '24h': { label: 'Last 24 hours', short: '24 h', seconds: 86_400 },
  '7d': { label: 'Last 7 days', short: '7 d', seconds: 7 * 86_400 },
  '30d': { label: 'Last 30 days', short: '30 d', seconds: 30 * 86_400 },
} as const;

export type Span = keyof typeof SPANS;

/** Two times in ISO 8601. */
export interface TimeWindow {
  from: string;
  to: string;
}

export type Stretch = Span | TimeWindow;

export const SPAN_NAMES = Object.keys(SPANS) as Span[];

export const isSpan = (value: unknown): value is Span => typeof value === 'string' && Object.hasOwn(SPANS, value);

/** Checks an untrusted value of the address. */
export const isTimeWindow = (value: { from?: unknown; to?: unknown }): value is TimeWindow =>
  typeof value.from === 'string' && typeof value.to === 'string' && Date.parse(value.from) < Date.parse(value.to);

/** Start of a range, in ISO 8601. */
export const startOf = (span: Span, now = Date.now()): string => new Date(now - SPANS[span].seconds * 1_000).toISOString();

/** A range as query of the admin API. */
export const timesOf = (stretch: Stretch): { from: string; to?: string } => (isSpan(stretch) ? { from: startOf(stretch) } : stretch);

/** A range in the address of the log of calls. */
export const callLogTimesOf = (stretch: Stretch): { from: string; to?: string } => (isSpan(stretch) ? { from: stretch } : stretch);

/** The equally long range before. */
export function beforeOf(stretch: Stretch, now = Date.now()): TimeWindow {
  const { from, to = new Date(now).toISOString() }: Partial<TimeWindow> & Pick<TimeWindow, 'from'> = isSpan(stretch)
    ? { from: startOf(stretch, now) }
    : stretch;
  return { from: new Date(2 * Date.parse(from) - Date.parse(to)).toISOString(), to: from };
}
