/**
 * Alerts: what is wrong now, and the rules by which the service finds it. docs/protocol.md section 10 is the normative text. No runtime
 * dependency: the console imports this in a browser.
 */

export const ALERT_KINDS = [
  'toolkit-offline',
  'toolkit-errors',
  'toolkit-slow',
  'key-errors',
  'key-limit',
  'key-budget',
  'key-budget-spent',
  'key-expiry',
  'actions-held',
  'approvals-waiting',
  'connections-ended',
  'calls-queued',
  'store-growth',
  'node-silent',
  'backup-old',
  'target-down',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export type AlertSeverity = 'warning' | 'critical';

export interface AlertRule {
  /** Default: true. */
  on?: boolean;
  /** The border, in the unit of the kind; a kind without one has none. */
  threshold?: number;
  /** The numbers say nothing with fewer calls, or refusals. Only for kinds that compare them. */
  minCalls?: number;
}

export type AlertRules = { [Kind in AlertKind]?: AlertRule };

/** A subject without alerts of one kind, and without messages about them. */
export interface AlertMute {
  kind: AlertKind;
  subject: string;
  /** ISO 8601. Absent: until it is over. */
  until?: string;
}

/** Whether its time has passed. */
export function isMuteOver({ until }: AlertMute, now: number): boolean {
  return until !== undefined && Date.parse(until) <= now;
}

export interface AlertLimit {
  default: number;
  min: number;
  max: number;
}

interface AlertRuleRange {
  threshold?: AlertLimit & { unit: 'minutes' | 'hours' | 'days' | '%' | 'times' | 'calls' | 'MB a day' };
  minCalls?: AlertLimit;
}

const MINUTES = { unit: 'minutes', min: 0, max: 10_080 } as const;
const PERCENT = { unit: '%', min: 1, max: 100 } as const;
const MIN_CALLS = { min: 1, max: 1_000_000 } as const;

/** The defaults and limits of each kind. */
export const ALERT_RULES: Record<AlertKind, AlertRuleRange> = {
  'toolkit-offline': { threshold: { ...MINUTES, default: 10 } },
  'toolkit-errors': { threshold: { ...PERCENT, default: 20 }, minCalls: { ...MIN_CALLS, default: 20 } },
  'toolkit-slow': { threshold: { unit: 'times', default: 3, min: 1.1, max: 1_000 }, minCalls: { ...MIN_CALLS, default: 50 } },
  'key-errors': { threshold: { ...PERCENT, default: 50 }, minCalls: { ...MIN_CALLS, default: 20 } },
  'key-limit': { threshold: { ...PERCENT, default: 80 }, minCalls: { ...MIN_CALLS, default: 10 } },
  'key-budget': { threshold: { ...PERCENT, default: 80 } },
  'key-budget-spent': {},
  'key-expiry': { threshold: { unit: 'days', default: 7, min: 1, max: 365 } },
  'actions-held': {},
  'approvals-waiting': { threshold: { ...MINUTES, default: 10 } },
  'connections-ended': {},
  'calls-queued': { threshold: { unit: 'calls', default: 50, min: 1, max: 1_000_000 } },
  'store-growth': { threshold: { unit: 'MB a day', default: 1_024, min: 1, max: 1_000_000_000 } },
  'node-silent': { threshold: { ...MINUTES, default: 1 } },
  'backup-old': { threshold: { unit: 'hours', default: 26, min: 1, max: 8_760 } },
  'target-down': {},
};

/** The rule that holds: what is set, and the defaults. */
export function alertRuleOf(kind: AlertKind, rules: AlertRules): { on: boolean; threshold: number; minCalls: number } {
  const { on = true, threshold, minCalls } = rules[kind] ?? {};
  const range = ALERT_RULES[kind];
  return { on, threshold: threshold ?? range.threshold?.default ?? 0, minCalls: minCalls ?? range.minCalls?.default ?? 0 };
}

export const ALERT_TARGET_KINDS = ['webhook', 'slack', 'email'] as const;
export type AlertTargetKind = (typeof ALERT_TARGET_KINDS)[number];
