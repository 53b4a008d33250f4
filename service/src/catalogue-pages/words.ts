/** Numbers and times as texts for people. */
import type { Payment } from '#sdk/protocol/http';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** `1 action`, `2 actions`. */
export function countOf(number: number, noun: string, plural = `${noun}s`): string {
  return `${whole.format(number)} ${number === 1 ? noun : plural}`;
}

export const formatWhole = (number: number) => whole.format(number);

/** `99.9 %`. Never rounds up to 100: one failure in a million is not none. */
export function formatShare(share: number): string {
  const percent = Math.floor(share * 1_000) / 10;
  return `${percent} %`;
}

export function readableMs(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

export const readablePrice = ({ amount, currency }: Payment) => `${amount} ${currency}`;

/** @param at milliseconds since the epoch */
export const formatDate = (at: number) => day.format(at);
