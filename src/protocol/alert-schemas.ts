/** zod schemas of alerts, their rules and targets, and of the state of the service. docs/protocol.md, section 10. */
import * as z from 'zod';
import { ALERT_KINDS, ALERT_RULES, ALERT_TARGET_KINDS, type AlertLimit, type AlertMute, type AlertRules } from './alerts';
import { components } from './schemas';

const MAX_MUTES = 200;
const MAX_SUBJECT_CHARS = 200;
const MAX_RECIPIENTS = 20;

const time = z.string().describe('ISO 8601, UTC');
const kind = z.enum(ALERT_KINDS, `must be one of ${ALERT_KINDS.join(', ')}`);

export const alertRules = z
  .partialRecord(
    kind,
    z.strictObject({
      on: z.boolean('must be true or false').exactOptional(),
      threshold: z.number('must be a number').exactOptional(),
      minCalls: z.int('must be a whole number').exactOptional(),
    }),
    'must be an object of rules by kind',
  )
  .superRefine((rules, context) => {
    for (const name of ALERT_KINDS) {
      for (const member of ['threshold', 'minCalls'] as const) {
        const value = rules[name]?.[member];
        const problem = value === undefined ? undefined : problemOf(value, ALERT_RULES[name][member]);
        if (problem) context.addIssue({ code: 'custom', path: [name, member], message: problem });
      }
    }
  }) satisfies z.ZodType<AlertRules>;

function problemOf(value: number, limit: AlertLimit | undefined): string | undefined {
  if (!limit) return 'this kind has none: leave it out';
  return value >= limit.min && value <= limit.max ? undefined : `must be from ${limit.min} to ${limit.max}`;
}

const muteEnd = z.iso
  .datetime({ error: 'must be a time such as 2026-11-30T08:00:00Z' })
  .exactOptional()
  .describe('Absent: until it is over');

export const newAlertMute = z.strictObject({ until: muteEnd }).register(components, { id: 'NewAlertMute' });

export const alertMutes = z
  .array(
    z.strictObject({
      kind,
      subject: z.string('must be a text').max(MAX_SUBJECT_CHARS, `may have at most ${MAX_SUBJECT_CHARS} characters`),
      until: muteEnd,
    }),
    'must be a list',
  )
  .max(MAX_MUTES, `may have at most ${MAX_MUTES} entries: remove those that are over`) satisfies z.ZodType<AlertMute[]>;

const alert = z.object({
  id: z.string(),
  kind: z.enum(ALERT_KINDS),
  subject: z.string().describe('Id of a toolkit, key, node or target; empty for the service itself'),
  severity: z.enum(['warning', 'critical']),
  text: z.string().describe('The fault, in one sentence'),
  link: z.string().describe("Path of the console's page that mends it"),
  since: time,
  endedAt: time.exactOptional().describe('Absent while it lasts'),
});
export type Alert = z.output<typeof alert>;

export const listAlertsQuery = z.strictObject({
  state: z.enum(['open', 'ended'], 'must be open or ended').default('open'),
  limit: z.coerce.number<string | number>('must be a whole number').int().min(1).max(200).default(100),
});

export const alertsPage = z.object({ alerts: z.array(alert).describe('Newest first') }).register(components, { id: 'AlertsPage' });
export type AlertsPage = z.output<typeof alertsPage>;

const address = z.string('must be an address').min(1, 'must not be empty').max(2_048, 'may have at most 2048 characters');
const mailbox = z
  .string('must be an e-mail address')
  .max(320, 'may have at most 320 characters')
  .regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, 'must be an e-mail address such as ops@example.com');

/** Members of another kind are refused: a misspelt one would be a target that gets nothing. */
export const newAlertTarget = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('webhook'), url: address }),
      z.strictObject({ kind: z.literal('slack'), url: address.describe("Slack's incoming webhook") }),
      z.strictObject({
        kind: z.literal('email'),
        to: z.array(mailbox).min(1, 'needs an address').max(MAX_RECIPIENTS, `may have at most ${MAX_RECIPIENTS} addresses`),
        from: mailbox,
        smtpUrl: address
          .exactOptional()
          .describe('`smtps://user:password@host:465`, or `smtp://…:587`. Absent: SVC_SMTP_URL of the service'),
      }),
    ],
    'must have a kind: webhook, slack or email',
  )
  .register(components, { id: 'NewAlertTarget' });
export type NewAlertTarget = z.output<typeof newAlertTarget>;

const alertTarget = z.object({
  id: z.string(),
  kind: z.enum(ALERT_TARGET_KINDS),
  place: z.string().describe('The host of a webhook, or the recipients of e-mails. Secrets are never shown'),
  createdAt: time,
  lastSentAt: time.exactOptional(),
  waiting: z.number().describe('Messages that are not sent yet'),
  failing: z.object({ error: z.string(), at: time }).exactOptional().describe('The last error of the message that waits longest'),
});
export type AlertTarget = z.output<typeof alertTarget>;

export const alertTargetsPage = z.object({ targets: z.array(alertTarget) }).register(components, { id: 'AlertTargetsPage' });
export type AlertTargetsPage = z.output<typeof alertTargetsPage>;

export const addedAlertTarget = alertTarget
  .extend({ secret: z.string().exactOptional().describe('Signs the messages of a webhook; it is not shown again') })
  .register(components, { id: 'AddedAlertTarget' });
export type AddedAlertTarget = z.output<typeof addedAlertTarget>;

export const testedAlertTarget = z
  .object({ sent: z.boolean(), error: z.string().exactOptional() })
  .register(components, { id: 'TestedAlertTarget' });
export type TestedAlertTarget = z.output<typeof testedAlertTarget>;

const node = z.object({
  id: z.string(),
  isThis: z.boolean().describe('The node that answers'),
  isSilent: z.boolean().describe('It did not answer in time; its numbers are 0'),
  version: z.string().exactOptional(),
  uptimeSeconds: z.number().exactOptional(),
  running: z.number().describe('Calls that run'),
  queued: z.number().describe('Calls that wait for a process of their toolkit'),
  toolkitSockets: z.number().exactOptional(),
  eventLoopBusy: z.number().exactOptional().describe('Share of the time in which the event loop worked, from 0 to 1'),
  loadAverage: z.number().exactOptional().describe("The machine's, of the last minute"),
  processors: z.number().exactOptional(),
  memoryBytes: z.number().exactOptional().describe('Resident memory of the process'),
});
export type SystemNode = z.output<typeof node>;

export const systemReport = z
  .object({
    version: z.string(),
    nodes: z.array(node),
    store: z.object({
      kind: z.enum(['sqlite', 'postgres', 'memory']),
      bytes: z.number(),
      bytesPerDay: z.number().exactOptional().describe('Growth over the last day; absent before the service ran for so long'),
      sizes: z.array(z.object({ at: time, bytes: z.number() })).describe('Hourly, of the last 7 days'),
    }),
    lastBackupAt: time.exactOptional().describe('Absent: none that the service knows of'),
    sdks: z
      .array(z.object({ name: z.string(), processes: z.number() }))
      .describe('Name and version of the SDK of each connected toolkit process, most processes first'),
    limits: z.array(z.object({ name: z.string(), value: z.number(), unit: z.enum(['bytes', 'ms', '']), meaning: z.string() })),
  })
  .register(components, { id: 'SystemReport' });
export type SystemReport = z.output<typeof systemReport>;
