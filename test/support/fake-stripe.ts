/**
 * The meter events of Stripe over real HTTP.
 *
 * Source: https://docs.stripe.com/api/billing/meter-event/create; the answer to a known identifier as https://github.com/langfuse/langfuse/pull/16292
 *         quotes it.
 */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './listening';

interface MeterEvent {
  event_name: string;
  identifier: string;
  timestamp: number;
  payload: { stripe_customer_id: string; value: string };
}

export interface FakeStripe {
  url: string;
  /** The events that Stripe counts. */
  events: MeterEvent[];
  /** The identifier of every request. */
  requests: string[];
  /** The fate of the next requests, one after the other: an error, or an answer that is lost after the event was counted. */
  faults: ('429' | '500' | 'lost')[];
}

const DAYS_35 = 35 * 24 * 60 * 60;
const MINUTES_5 = 5 * 60;

export async function startFakeStripe(apiKey: string): Promise<FakeStripe> {
  const stripe: FakeStripe = { url: '', events: [], requests: [], faults: [] };
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    if (request.method !== 'POST' || request.url !== '/v1/billing/meter_events') return refuse(response, 404, 'Unrecognized request URL');
    if (request.headers.authorization !== `Bearer ${apiKey}`) return refuse(response, 401, 'Invalid API Key provided');
    if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
      return refuse(response, 400, 'Invalid request');
    const identifier = form.get('identifier') ?? '';
    stripe.requests.push(identifier);
    const fault = stripe.faults.shift();
    if (fault === '429' || fault === '500') return refuse(response, Number(fault), 'try again', 'api_error');
    const event: MeterEvent = {
      event_name: form.get('event_name') ?? '',
      identifier,
      timestamp: Number(form.get('timestamp')),
      payload: { stripe_customer_id: form.get('payload[stripe_customer_id]') ?? '', value: form.get('payload[value]') ?? '' },
    };
    const problem = problemOf(event);
    if (problem) return refuse(response, 400, problem);
    if (stripe.events.some((known) => known.identifier === identifier))
      return refuse(response, 400, `An event already exists with identifier ${identifier}.`);
    stripe.events.push(event);
    if (fault === 'lost') return void response.destroy();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'billing.meter_event', created: Math.floor(Date.now() / 1_000), livemode: false, ...event }));
  });
  stripe.url = await listening(server);
  return stripe;
}

function problemOf({ event_name, identifier, timestamp, payload }: MeterEvent): string | undefined {
  const age = Date.now() / 1_000 - timestamp;
  if (event_name === '' || event_name.length > 100) return 'Missing required param: event_name.';
  if (identifier === '' || identifier.length > 100) return 'Invalid identifier';
  if (!Number.isInteger(timestamp) || age > DAYS_35 || age < -MINUTES_5) return 'The timestamp must be within the past 35 calendar days';
  if (!payload.stripe_customer_id.startsWith('cus_')) return `No such customer: '${payload.stripe_customer_id}'`;
  if (!/^[1-9]\d*$/.test(payload.value)) return 'Invalid value';
  return undefined;
}

function refuse(response: ServerResponse, status: number, message: string, type = 'invalid_request_error'): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { type, message } }));
}
