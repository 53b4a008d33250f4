/**
 * Bills every charged call through Stripe: one meter event for each entry of the ledger, whose value is the charge in millionths. Stripe
 * invoices them by a metered price of 0.000001 USD for each unit.
 *
 *   STRIPE_API_KEY=sk_… STRIPE_METER=svc_charges CUSTOMERS=customers.json node examples/settlement/stripe.ts
 *
 * Stripe accepts an event of each identifier once within a day or more, and rejects it the second time: then the entry was counted already.
 * Source: https://docs.stripe.com/api/billing/meter-event/create
 */
import type { ChargedEntry, Settle } from 'svc-service';
import { customerOf } from './customers.ts';
import { serveSettled, variable } from './serve-settled.ts';
import { toUnits } from './units.ts';

export interface StripeMeter {
  apiKey: string;
  /** The `event_name` of the meter. */
  meter: string;
  /** Finds the Stripe customer, `cus_…`, who pays for an agent key. */
  customerOf(agentKeyId: string): Promise<string>;
  /** Default: `https://api.stripe.com`. */
  baseUrl?: string;
}

const TIMEOUT_MS = 10_000;

export function stripeMeter({ apiKey, meter, customerOf, baseUrl = 'https://api.stripe.com' }: StripeMeter): Settle {
  return async ({ invocationId, agentKeyId, charged, bookedAt }: ChargedEntry) => {
    const response = await fetch(`${baseUrl}/v1/billing/meter_events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: new URLSearchParams({
        event_name: meter,
        identifier: invocationId,
        timestamp: String(Math.floor(Date.parse(bookedAt) / 1_000)),
        'payload[stripe_customer_id]': await customerOf(agentKeyId),
        'payload[value]': String(toUnits(charged, 6)),
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return void (await response.body?.cancel());
    const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
    const isDuplicate = response.status === 400 && error?.message?.startsWith(`An event already exists with identifier ${invocationId}`);
    // A rejection: the service sends the entry again, with the same identifier.
    if (!isDuplicate) throw new Error(`Stripe answered ${response.status}: ${error?.message}`);
  };
}

if (import.meta.main) {
  const customers = variable('CUSTOMERS');
  await serveSettled(
    stripeMeter({
      apiKey: variable('STRIPE_API_KEY'),
      meter: variable('STRIPE_METER'),
      customerOf: (agentKeyId) => customerOf(agentKeyId, customers),
      baseUrl: variable('STRIPE_API_BASE', 'https://api.stripe.com'),
    }),
  );
}
