/** The toolkits of the pictures: those of a company that sells and repairs bicycles, with handlers that answer as theirs would. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ActionAnnotations, ActionContext, JsonSchema, Toolkit } from 'svc-sdk';

type Handler = (context: ActionContext, payload: Record<string, unknown>) => unknown;

export interface ShownAction {
  name: string;
  description: string;
  payloadSchema: JsonSchema;
  annotations?: ActionAnnotations;
  payment?: { amount: string };
  handler: Handler;
  past: PastOf;
}

/** How the calls of the last days went. */
interface PastOf {
  /** Calls in a busy hour. */
  hourly: number;
  /** Median of their durations, in milliseconds. */
  ms: number;
  /** Share of calls that ended with a code. */
  failures?: Record<string, number>;
}

export interface ShownToolkit {
  name: string;
  description: string;
  /** The owner of its key. */
  owner: string;
  actions: ShownAction[];
  /** Processes that run it; 0 leaves it offline. */
  replicas: number;
}

const text = (description: string, more: JsonSchema = {}) => ({ type: 'string', description, ...more });
const object = (properties: Record<string, JsonSchema>, required: string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const after =
  (ms: number, answer: Handler): Handler =>
  async (context, payload) => {
    await delay(ms, undefined, { signal: context.signal });
    return answer(context, payload);
  };

const CUSTOMER = text('Id of the customer, such as cus_4821', { pattern: '^cus_[0-9]+$' });
const ORDER = text('Number of the order, such as R-20931', { pattern: '^R-[0-9]+$' });

export const TOOLKITS: ShownToolkit[] = [
  {
    name: 'orders',
    description: 'Orders of the web shop: find them, see where they are, change and cancel them',
    owner: 'Jonas Lindqvist',
    replicas: 3,
    actions: [
      {
        name: 'find_orders',
        description:
          'Finds orders of a customer by state and time, newest first: number, date, total in cents and state of each. At most 50.',
        payloadSchema: object(
          {
            customer: CUSTOMER,
            state: text('Only orders in this state', { enum: ['open', 'paid', 'shipped', 'delivered', 'cancelled'] }),
            since: text('Only orders from this day on, such as 2026-03-01', { format: 'date' }),
          },
          ['customer'],
        ),
        annotations: { readOnly: true },
        handler: after(38, (_context, { customer }) => ({
          orders: [
            { order: 'R-20931', customer, date: '2026-11-19', total_cents: 124_900, state: 'shipped' },
            { order: 'R-20417', customer, date: '2026-10-02', total_cents: 4_990, state: 'delivered' },
          ],
        })),
        past: { hourly: 46, ms: 42, failures: { INVALID_PAYLOAD: 0.02 } },
      },
      {
        name: 'track_parcel',
        description: 'Finds where the parcel of an order is and when it arrives, as the carrier says, with every scan so far.',
        payloadSchema: object({ order: ORDER }),
        payment: { amount: '0.02' },
        annotations: { readOnly: true, openWorld: true },
        handler: after(180, (_context, { order }) => ({
          order,
          carrier: 'DHL',
          state: 'in delivery',
          expected: '2026-11-22',
          scans: [
            { at: '2026-11-21T05:12:00Z', place: 'Leipzig', what: 'left the hub' },
            { at: '2026-11-21T13:40:00Z', place: 'Hamburg', what: 'arrived at the depot' },
          ],
        })),
        past: { hourly: 31, ms: 210, failures: { ACTION_FAILED: 0.03, INVOCATION_TIMEOUT: 0.012 } },
      },
      {
        name: 'change_address',
        description: 'Changes the delivery address of an order that has not been shipped. Gives back the order with its new address.',
        payloadSchema: object(
          {
            order: ORDER,
            address: object(
              {
                name: text('The carrier of the parcel'),
                street: text('Street and house number'),
                postal_code: text('Postal code', { minLength: 3, maxLength: 10 }),
                city: text('City'),
                country: text('ISO 3166 code of the country', { enum: ['AT', 'CH', 'DE', 'DK', 'FR', 'NL', 'SE'] }),
              },
              ['name', 'street', 'postal_code', 'city', 'country'],
            ),
            notify: { type: 'boolean', description: 'Tell the customer by e-mail' },
          },
          ['order', 'address'],
        ),
        annotations: { idempotent: true },
        handler: after(64, (_context, payload) => ({ ...payload, state: 'paid' })),
        past: { hourly: 6, ms: 71, failures: { ACTION_FAILED: 0.05 } },
      },
      {
        name: 'cancel_order',
        description: 'Cancels an order that has not been shipped and gives the money back. This cannot be undone.',
        payloadSchema: object(
          {
            order: ORDER,
            reason: text('Why, for the books', { enum: ['changed mind', 'too late', 'wrong item', 'fraud'] }),
            items: {
              type: 'array',
              description: 'Only these items, by article number; default: all of them',
              items: { type: 'string' },
            },
          },
          ['order', 'reason'],
        ),
        annotations: { destructive: true },
        handler: after(120, (_context, { order }) => ({ order, state: 'cancelled', refunded_cents: 124_900 })),
        past: { hourly: 4, ms: 140, failures: { ACTION_FAILED: 0.08 } },
      },
    ],
  },
  {
    name: 'customers',
    description: 'Our customers, the things that they own, and notes of talks with them',
    owner: 'Jonas Lindqvist',
    replicas: 2,
    actions: [
      {
        name: 'find_customer',
        description: 'Finds customers by name, e-mail address or phone number. Gives id, name and city of at most 10.',
        payloadSchema: object({ query: text('Name, e-mail address or phone number, or a part of it', { minLength: 2 }) }),
        annotations: { readOnly: true },
        handler: after(22, () => ({ customers: [{ id: 'cus_4821', name: 'Ingrid Falk', city: 'Malmö' }] })),
        past: { hourly: 52, ms: 24 },
      },
      {
        name: 'add_note',
        description: 'Writes a note about a customer, for colleagues. Customers never see it.',
        payloadSchema: object({ customer: CUSTOMER, note: text('The note, as plain text', { maxLength: 2_000 }) }),
        handler: after(30, () => ({ saved: true })),
        past: { hourly: 12, ms: 33 },
      },
    ],
  },
  {
    name: 'workshop',
    description: 'Repairs: free times of the workshop, bookings, and what a repair costs',
    owner: 'Priya Raman',
    replicas: 1,
    actions: [
      {
        name: 'free_times',
        description: 'Free times of the workshop in a week, for a kind of repair, as local times with the mechanic who is there.',
        payloadSchema: object({
          week: text('Any day of the week, such as 2026-11-23', { format: 'date' }),
          repair: text('Kind of repair', { enum: ['inspection', 'brakes', 'gears', 'wheel', 'motor'] }),
        }),
        annotations: { readOnly: true },
        handler: after(90, () => ({ times: ['2026-11-24T09:00', '2026-11-24T15:30', '2026-11-26T11:00'] })),
        past: { hourly: 17, ms: 96 },
      },
      {
        name: 'book_repair',
        description: 'Books a repair at a free time. Gives back the number of the booking; the customer gets an e-mail.',
        payloadSchema: object({
          customer: CUSTOMER,
          time: text('One of the free times, such as 2026-11-24T09:00'),
          repair: text('Kind of repair', { enum: ['inspection', 'brakes', 'gears', 'wheel', 'motor'] }),
        }),
        handler: after(110, (context) =>
          context.error('TIME_TAKEN', 'That time was taken a moment ago', { data: { free: ['2026-11-24T15:30'] }, retryable: false }),
        ),
        past: { hourly: 8, ms: 130, failures: { ACTION_FAILED: 0.11 } },
      },
      {
        name: 'estimate_price',
        description:
          'Estimates what a repair costs, in cents, from a description of what is broken. Looks up parts at the wholesaler, so it takes seconds.',
        payloadSchema: object({ model: text('Model of the bicycle'), broken: text('The defect, in plain words') }),
        payment: { amount: '0.05' },
        annotations: { readOnly: true, openWorld: true },
        handler: async (context) => {
          for (const [index, message] of ['Looking up parts', 'Asking the wholesaler', 'Adding up hours'].entries()) {
            context.progress({ progress: index, total: 3, message });
            await delay(400, undefined, { signal: context.signal });
          }
          return { low_cents: 7_900, high_cents: 11_500, parts: ['brake disc 180 mm', 'pads'] };
        },
        past: { hourly: 9, ms: 2_900, failures: { INVOCATION_TIMEOUT: 0.07, ACTION_FAILED: 0.02 } },
      },
    ],
  },
  {
    name: 'warehouse',
    description: 'Stock in Hamburg and Malmö',
    owner: 'Priya Raman',
    replicas: 1,
    actions: [
      {
        name: 'stock_level',
        description: 'How many pieces of an article are in each warehouse, and when more come.',
        payloadSchema: object({ article: text('Article number, such as BR-180-S') }),
        annotations: { readOnly: true },
        handler: after(18, (_context, { article }) => ({ article, hamburg: 41, malmo: 7, next_delivery: '2026-11-27' })),
        past: { hourly: 38, ms: 19 },
      },
      {
        name: 'reserve',
        description: 'Reserves stuff',
        payloadSchema: { type: 'object' },
        handler: after(25, () => ({ reserved: true })),
        past: { hourly: 5, ms: 28, failures: { INVALID_PAYLOAD: 0.1, ACTION_FAILED: 0.12 } },
      },
      {
        name: 'get',
        description: 'Gets data',
        payloadSchema: object({ id: { type: 'string' }, q: { type: 'string' } }, []),
        handler: after(25, () => ({})),
        past: { hourly: 1, ms: 40, failures: { ACTION_FAILED: 0.3 } },
      },
    ],
  },
  {
    name: 'newsletter',
    description: 'Letters to customers who asked for them: drafts, sending, who unsubscribed',
    owner: 'Maya Okafor',
    replicas: 0,
    actions: [
      {
        name: 'send_draft',
        description: 'Sends a draft to everybody on a list. Gives back how many letters went out.',
        payloadSchema: object({ draft: text('Id of the draft'), list: text('Name of the list') }),
        annotations: { destructive: true, openWorld: true },
        handler: after(300, () => ({ sent: 1_204 })),
        past: { hourly: 1, ms: 2_400, failures: { TOOLKIT_OFFLINE: 0.4 } },
      },
    ],
  },
];

/** As the page of the newcomer has it. */
export const WEATHER: Pick<ShownToolkit, 'actions'> = {
  actions: [
    {
      name: 'today',
      description: "Today's weather in a city: temperature in degrees Celsius and a word for the sky",
      payloadSchema: object({ city: text('Name of the city') }),
      annotations: { readOnly: true },
      handler: (_context, { city }) => ({ city, celsius: 21, sky: 'clear' }),
      past: { hourly: 0, ms: 0 },
    },
  ],
};

export function addActions(toolkit: Toolkit, { actions }: Pick<ShownToolkit, 'actions'>): void {
  for (const { name, description, payloadSchema, annotations, payment, handler } of actions)
    toolkit.action(
      {
        action: name,
        actionDescription: description,
        payloadDescription: payloadSchema,
        ...(annotations && { annotations }),
        ...(payment && { payment }),
      },
      handler,
    );
}
