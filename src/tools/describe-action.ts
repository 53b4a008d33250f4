import type { ActionInfo } from '../protocol/http';

/** The description of an action; of a paid one with its price, as models and people read it before a call. */
export function describeAction({ description, payment }: Pick<ActionInfo, 'description' | 'payment'>): string {
  if (!payment) return description;
  const sentence = /[.!?]$/.test(description) ? description : `${description}.`;
  return `${sentence} Costs up to ${payment.amount} ${payment.currency} a call.`;
}
