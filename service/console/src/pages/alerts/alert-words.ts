/** The words for kinds of alerts and for their thresholds. */
import type { AlertKind } from '#sdk/protocol/alerts';

export const ALERT_WORDS: Record<AlertKind, { label: string; threshold?: string; minCalls?: string }> = {
  'toolkit-offline': { label: 'A toolkit that was online is offline', threshold: 'Minutes offline' },
  'toolkit-errors': {
    label: 'Calls to a toolkit fail more than a week ago',
    threshold: 'Share of failed calls (%)',
    minCalls: 'At least so many calls',
  },
  'toolkit-slow': { label: 'A toolkit is slower than a week ago', threshold: 'Times as slow (p95)', minCalls: 'At least so many calls' },
  'key-errors': {
    label: 'Calls of a key fail more than a week ago',
    threshold: 'Share of failed calls (%)',
    minCalls: 'At least so many calls',
  },
  'key-limit': { label: 'A key is at its calls per minute', threshold: 'Share of the limit (%)', minCalls: 'Or so many refusals' },
  'key-budget': { label: 'A key is near its budget of the day', threshold: 'Share of the budget (%)' },
  'key-budget-spent': { label: 'A key has spent its budget of the day' },
  'key-expiry': { label: 'A key expires', threshold: 'Days before' },
  'actions-held': { label: 'Actions wait for an owner' },
  'approvals-waiting': { label: 'Calls wait for a decision', threshold: 'Minutes waiting' },
  'connections-ended': { label: 'Accounts must be connected again' },
  'calls-queued': { label: 'Calls wait for a free process', threshold: 'Waiting calls' },
  'store-growth': { label: 'The data grow', threshold: 'MB a day' },
  'node-silent': { label: 'A node is silent', threshold: 'Minutes silent' },
  'backup-old': { label: 'The last backup is old', threshold: 'Hours' },
  'target-down': { label: 'Alerts do not arrive' },
};
