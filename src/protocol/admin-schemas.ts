/**
 * zod schemas of the admin API: the service parses requests with them, and generates its part of `/v1/openapi.json` from them and from those of
 * the answers. Bodies are strict: a misspelt member that is ignored would be a change that was not made.
 */
import * as z from 'zod';
import { AUDITED, KEY_SORTS, KEY_STATES, MAX_OVERLAP_SECONDS, TOOLKIT_SORTS } from './admin-constants';
import { appSettings } from './connection-app-schemas';
import { toolkitAuth } from './connection-schemas';
import { ERRORS, type SvcErrorCode } from './errors';
import {
  actionAnnotations,
  amount,
  components,
  errorDetails,
  explainRequest,
  explainResponse,
  jsonSchema,
  keyInfo,
  nextCursor,
  payment,
} from './schemas';
import { sessionSums } from './session-schemas';
import { TOOLKIT_CATEGORIES } from './toolkit-profile';

const errorCodes = Object.keys(ERRORS) as [SvcErrorCode, ...SvcErrorCode[]];
const time = z.string().describe('ISO 8601, UTC');
const role = z.enum(['owner', 'member'], 'must be "owner" or "member"');
const personName = z
  .string('must be a text')
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'may have at most 100 characters')
  .regex(/^\P{Cc}*$/u, 'must not hold control characters');
const expiresInDays = z.number('must be a number').positive('must be more than 0').max(30, 'may be at most 30').exactOptional();

export const consoleInfo = z
  .object({
    version: z.string(),
    setUp: z.boolean().describe('An account exists'),
    signIn: z.object({ passkeys: z.boolean(), oidc: z.object({ name: z.string() }).exactOptional() }),
  })
  .register(components, { id: 'ConsoleInfo' });
export type ConsoleInfo = z.output<typeof consoleInfo>;

const person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  createdAt: time,
  lastSeenAt: time.exactOptional().describe('The last request of any of their sessions, to the minute'),
});

export const me = z
  .object({
    person: person.exactOptional().describe('Absent for an admin key'),
    role,
    url: z.string().describe('Where agents and toolkits reach the service'),
    currency: z.string().describe('The currency of every price and budget'),
    version: z.string(),
    publisher: z.boolean().exactOptional().describe('Whether the catalogue shows their name beside their toolkits'),
  })
  .register(components, { id: 'Me' });
export type Me = z.output<typeof me>;

export const changePublisher = z
  .strictObject({ shown: z.boolean().describe('Whether the catalogue shows the name of the person beside their toolkits') })
  .register(components, { id: 'ChangePublisherRequest' });

const listedPerson = person.extend({ activeKeys: z.int().describe('Number of their keys that are neither revoked nor expired') });
export type ListedPerson = z.output<typeof listedPerson>;

export const peoplePage = z.object({ people: z.array(listedPerson) }).register(components, { id: 'PeoplePage' });
export type PeoplePage = z.output<typeof peoplePage>;

export const changePersonRequest = z.strictObject({ role }).register(components, { id: 'ChangePersonRequest' });

const revokedKeys = z.array(z.string()).describe('Ids of keys that were revoked with it');

export const changedPerson = person.extend({ revokedKeys }).register(components, { id: 'ChangedPerson' });

export const removedPerson = z.object({ revokedKeys }).register(components, { id: 'RemovedPerson' });

const invitation = z.object({
  id: z.string(),
  role,
  name: z.string().exactOptional().describe('Whom it is for, as the inviter wrote it'),
  person: z.string().exactOptional().describe('Id of the account that gets a new password'),
  createdAt: time,
  expiresAt: time,
});

export const invitationsPage = z.object({ invitations: z.array(invitation) }).register(components, { id: 'InvitationsPage' });
export type InvitationsPage = z.output<typeof invitationsPage>;

export const createInvitationRequest = z
  .union([
    z.strictObject({ role, name: personName.exactOptional(), expiresInDays }),
    z.strictObject({ person: z.string().max(200).describe('Id of the account that gets a new password'), expiresInDays }),
  ])
  .register(components, { id: 'CreateInvitationRequest' });

export const createdInvitation = invitation
  .extend({
    token: z.string().describe('Shown this once: the link is <url>/join#<token>'),
  })
  .register(components, { id: 'CreatedInvitation' });

const token = z.string('must be a text').max(500, 'may have at most 500 characters');

export const previewInvitationRequest = z.strictObject({ token }).register(components, { id: 'PreviewInvitationRequest' });

export const invitationPreview = z
  .object({
    role,
    email: z.string().exactOptional().describe('The account whose password it sets'),
    first: z.boolean().describe('It makes the first account'),
  })
  .register(components, { id: 'InvitationPreview' });
export type InvitationPreview = z.output<typeof invitationPreview>;

export const acceptInvitationRequest = z
  .strictObject({
    token,
    name: personName.exactOptional().describe('Not for a new password'),
    email: z.email('must be an e-mail address').max(254).exactOptional().describe('Not for a new password'),
    password: z.string('must be a text').min(12, 'must have at least 12 characters').max(128, 'may have at most 128 characters'),
  })
  .register(components, { id: 'AcceptInvitationRequest' });
export type AcceptInvitationRequest = z.output<typeof acceptInvitationRequest>;

const callCounts = z.object({
  calls: z.int(),
  errors: z.int(),
  refused: z.int().exactOptional().describe('Of the errors, those that were refused before they were read'),
  p50Ms: z.number().exactOptional(),
  p95Ms: z.number().exactOptional(),
  p99Ms: z.number().exactOptional(),
});
export type CallCounts = z.output<typeof callCounts>;

export const ownedKey = keyInfo
  .extend({
    owner: z.object({ id: z.string(), name: z.string() }).exactOptional(),
    app: z.literal(true).exactOptional().describe('The key of a connected app, which gets no new secret'),
    lastUsedAt: time.exactOptional().describe('Of an agent key its last call; of a toolkit key now, while it holds a socket'),
    spentToday: z
      .object({ charged: amount, held: amount })
      .exactOptional()
      .describe('Of a key with a budget: what it has used of it in this UTC day'),
    day: callCounts.exactOptional().describe('Of an agent key in a list with a `limit`: its calls of the last 24 hours'),
    connect: appSettings.exactOptional().describe('How users of the app connect their accounts'),
  })
  .register(components, { id: 'OwnedKey' });
export type OwnedKey = z.output<typeof ownedKey>;

export const ownedKeysPage = z
  .object({
    keys: z.array(ownedKey),
    total: z.int().describe('How many fit `q`, `kind`, `state` and `mine`, on all pages'),
    nextCursor,
  })
  .register(components, { id: 'OwnedKeysPage' });
export type OwnedKeysPage = z.output<typeof ownedKeysPage>;

const limit = (most: number) =>
  z.coerce
    .number<string | number>('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(most, `may be at most ${most}`);
const pageLimit = limit(200).default(50);
const id = z.string().max(100, 'may have at most 100 characters').exactOptional();
const queriedTime = z.iso.datetime({ offset: true, message: 'must be a time in ISO 8601, such as 2026-01-31T08:00:00Z' }).exactOptional();
const lastId = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,100}$`), 'must be the nextCursor of the page before')
    .exactOptional()
    .describe('`nextCursor` of the page before');

const outcomes = ['ok', 'error', 'running', 'OK', ...errorCodes] as const;

const callerId = z.string().min(1, 'must not be empty').max(256, 'may have at most 256 characters').exactOptional();

const words = z.string().max(200, 'may have at most 200 characters').exactOptional();

export const rotateKeyQuery = z.strictObject({
  overlapSeconds: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(MAX_OVERLAP_SECONDS, `must be ${MAX_OVERLAP_SECONDS} or less`)
    .default(0)
    .describe('How long the old secret works beside the new one'),
});

export const listKeysQuery = z.strictObject({
  q: words.describe('Only those that have every word of it in name, id, toolkit or owner'),
  kind: z.enum(['agent', 'toolkit', 'admin'], 'must be agent, toolkit or admin').exactOptional(),
  state: z.enum(KEY_STATES, 'must be active, expired or revoked').exactOptional(),
  mine: z.literal('true', 'must be true').exactOptional().describe('Only those of the account that asks'),
  sort: z
    .enum(KEY_SORTS, `must be one of ${KEY_SORTS.join(', ')}`)
    .exactOptional()
    .describe('Default: created'),
  order: z.enum(['asc', 'desc'], 'must be asc or desc').exactOptional().describe('Default: desc'),
  limit: limit(200).exactOptional().describe('Default: all of them'),
  cursor: z.string().max(2_000, 'may have at most 2000 characters').exactOptional().describe('`nextCursor` of the page before'),
});

const mine = z.enum(['keys', 'toolkits'], 'must be keys or toolkits').exactOptional();

const invocationFilters = {
  mine: mine.describe("Only calls of one's agent keys, or to one's toolkits"),
  key: id.describe('Only calls of this key'),
  toolkit: id,
  action: id.describe('Action id'),
  outcome: z.enum(outcomes, 'must be ok, error, running or a code').exactOptional(),
  toolkitCode: z
    .string()
    .max(100, 'may have at most 100 characters')
    .exactOptional()
    .describe('Only failed calls with this code of their toolkit'),
  from: queriedTime.describe('Started then or later'),
  to: queriedTime.describe('Started before'),
  session: callerId.describe('Only calls of this session; for a member, of their own keys'),
  user: callerId.describe('Only calls for this end user; for a member, of their own keys'),
  origin: z
    .enum(['agent', 'console'], 'must be agent or console')
    .exactOptional()
    .describe('Only calls of agents, or only those that people made in the console'),
};

export const invocationsQuery = z.strictObject({ ...invocationFilters, limit: pageLimit, cursor: lastId('inv') });

export const invocationsExportQuery = z.strictObject({
  ...invocationFilters,
  format: z.enum(['csv', 'jsonl'], 'must be csv or jsonl'),
});

const cost = z.object({
  currency: z.string(),
  authorised: amount.describe('The most that the call could cost'),
  charged: amount.exactOptional().describe('The cost; absent while held'),
  state: z.enum(['held', 'charged', 'released']).describe('`released`: it costs nothing'),
});

const invocationInfo = z.object({
  id: z.string(),
  action: z.string(),
  key: z.object({ id: z.string(), name: z.string().exactOptional() }),
  code: z
    .enum(['OK', ...errorCodes])
    .exactOptional()
    .describe('Absent while it runs'),
  startedAt: time,
  ms: z.number().exactOptional().describe('From the arrival of the request to the outcome, to the tenth'),
  toolkitCode: z.string().exactOptional().describe("The code of the toolkit's own error, of a call that its handler failed"),
  message: z.string().exactOptional().describe('The message of the error, of a failed call whose content is stored'),
  cost: cost.exactOptional().describe('Of a paid call'),
  standsFor: z.int().exactOptional().describe('Calls that were refused like this one in the same minute, of which it is the first'),
  session: z
    .string()
    .exactOptional()
    .describe("The caller's id of the conversation. Members see it of calls with their own keys, as `user` and `search`"),
  user: z.string().exactOptional().describe("The caller's id of the end user"),
  search: z.string().exactOptional().describe('Id of the search that led to the call, of a call with a session or a user'),
  madeBy: z
    .string()
    .exactOptional()
    .describe("`program`: a program of the model's provider made the call. `run_…`: a run of code. Absent: the agent itself"),
  origin: z
    .literal('console')
    .exactOptional()
    .describe('A person made the call with the key, in the console: no rate, report or demand counts it. Absent: the agent made it'),
});
export type InvocationInfo = z.output<typeof invocationInfo>;

export const invocationsPage = z
  .object({ invocations: z.array(invocationInfo), nextCursor })
  .register(components, { id: 'InvocationsPage' });
export type InvocationsPage = z.output<typeof invocationsPage>;

const timelineEntry = z.object({
  ms: z.number().describe('From the start of the call'),
  what: z.enum(['received', 'user', 'waiting', 'claimed', 'sent', 'progress', 'lost', 'forwarded', 'cancelled', 'ended']),
  detail: z.string().exactOptional().describe('For people'),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

const keptContent = z.union([
  z.object({ json: z.string().describe('JSON text, redacted and capped'), cut: z.literal(true).exactOptional() }),
  z.object({ kept: z.literal(false), why: z.enum(['off', 'not an error', 'not ended', 'gone']) }),
]);
export type KeptContent = z.output<typeof keptContent>;

const modelError = errorDetails.extend({
  code: z.enum(errorCodes),
  message: z.string(),
  retryable: z.boolean(),
});

export const invocationDetail = invocationInfo
  .extend({
    node: z.string().exactOptional(),
    idempotencyKey: z.string().exactOptional(),
    timeline: z.array(timelineEntry),
    payload: keptContent,
    result: keptContent,
    trace: z
      .object({ id: z.string(), url: z.string().exactOptional().describe('As the setting `traceUrl` makes it') })
      .exactOptional()
      .describe('Its OpenTelemetry trace, if its caller or the service has one'),
    error: modelError.exactOptional().describe('The error that the caller got, when the call failed and content is stored'),
  })
  .register(components, { id: 'InvocationDetail' });
export type InvocationDetail = z.output<typeof invocationDetail>;

const timeRange = { from: queriedTime, to: queriedTime };

export const seriesQuery = z.strictObject({
  ...timeRange,
  key: id,
  toolkit: id,
  action: id,
  mine: mine.describe("Calls of one's agent keys, or toolkits"),
});

export const statsSeries = z
  .object({
    from: time,
    to: time,
    stepSeconds: z.int(),
    total: callCounts,
    points: z.array(callCounts.extend({ at: time })),
    codes: z.array(z.object({ code: z.string(), calls: z.int() })),
  })
  .register(components, { id: 'StatsSeries' });
export type StatsSeries = z.output<typeof statsSeries>;

const topBy = z.enum(['action', 'toolkit', 'key'], 'must be action, toolkit or key');
export type StatsTopBy = z.output<typeof topBy>;

const topOrder = z.enum(['calls', 'errors', 'slowest'], 'must be calls, errors or slowest');
export type StatsTopOrder = z.output<typeof topOrder>;

export const topQuery = z.strictObject({
  by: topBy,
  order: topOrder.default('calls'),
  ...timeRange,
  limit: limit(100).default(10),
});

export const statsTop = z
  .object({
    items: z.array(callCounts.extend({ id: z.string(), name: z.string().exactOptional() })),
  })
  .register(components, { id: 'StatsTop' });
export type StatsTop = z.output<typeof statsTop>;

const silentNodes = z.array(z.string()).exactOptional().describe('Nodes that did not answer in time: what is there is missing');

export const statsNow = z
  .object({
    toolkitsOnline: z.int(),
    toolkits: z.int(),
    actions: z.int(),
    replicas: z.int(),
    running: z.int(),
    waiting: z.int(),
    nodes: z.int(),
    silentNodes,
    offered: z.object({ toolkits: z.int(), online: z.int() }).describe('All that agents may find'),
  })
  .register(components, { id: 'StatsNow' });
export type StatsNow = z.output<typeof statsNow>;

export const lintFinding = z.object({
  rule: z.enum([
    'vague-name',
    'vague-description',
    'long-description',
    'colliding',
    'undescribed-parameters',
    'large-payload',
    'result-dropped',
    'result-undeclared',
    'result-opaque',
    'result-huge',
    'instructs-model',
    'undeclared-destructive',
    'toolkit-description',
    'undescribed-actions',
    'look-alike-name',
    'reserved-name',
    'mixed-scripts',
    'result-misfit',
  ]),
  severity: z.enum(['error', 'warning', 'info']),
  action: z.string().exactOptional(),
  message: z.string(),
  hint: z.string(),
});

const toolkitProfile = z.object({
  iconType: z.enum(['image/png', 'image/jpeg', 'image/webp']).exactOptional().describe('Absent: the toolkit has no icon'),
  homepage: z.string().exactOptional(),
  category: z.enum(TOOLKIT_CATEGORIES).exactOptional(),
  version: z.string().exactOptional(),
  changedAt: time,
});

const toolkitReport = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  online: z.boolean(),
  replicas: z.int(),
  actions: z.int(),
  lastSeenAt: time.exactOptional(),
  day: callCounts.exactOptional().describe('Of the last day; only where `mine`'),
  hints: z.int().describe('Findings of the linter'),
  auth: toolkitAuth.exactOptional().describe('The account with which its calls act at the API behind it'),
  profile: toolkitProfile.exactOptional(),
  mine: z.boolean().describe('The one who asks may see its calls and searches'),
});
export type ToolkitReport = z.output<typeof toolkitReport>;

const nextId = id.describe('`nextCursor` of the page before');

export const reportsQuery = z.strictObject({
  q: words.describe('Only those that have every word of it in id, name or description'),
  state: z.enum(['online', 'offline'], 'must be online or offline').exactOptional(),
  mine: z.literal('true', 'must be true').exactOptional().describe("Only one's own"),
  auth: z
    .enum(['caller', 'user', 'agent', 'everyone'], 'must be caller, user, agent or everyone')
    .exactOptional()
    .describe('Only those whose calls act with an account from there'),
  sort: z.enum(TOOLKIT_SORTS, `must be one of ${TOOLKIT_SORTS.join(', ')}`).default('id'),
  order: z.enum(['asc', 'desc'], 'must be asc or desc').default('asc'),
  limit: pageLimit,
  cursor: nextId,
});

export const toolkitReportsPage = z
  .object({
    toolkits: z.array(toolkitReport),
    counts: z.object({ all: z.int(), online: z.int(), offline: z.int() }).describe('How many fit `q` and `mine`, whatever their state'),
    nextCursor,
  })
  .register(components, { id: 'ToolkitReportsPage' });
export type ToolkitReportsPage = z.output<typeof toolkitReportsPage>;

export const actionsReportQuery = z.strictObject({
  q: words.describe('Only those that have every word of it in their id'),
  toolkit: id,
  limit: pageLimit,
  cursor: nextId,
});

export const actionSummariesPage = z
  .object({
    actions: z.array(z.object({ action: z.string(), toolkit: z.string(), description: z.string(), online: z.boolean() })),
    total: z.int(),
    nextCursor,
  })
  .register(components, { id: 'ActionSummariesPage' });
export type ActionSummariesPage = z.output<typeof actionSummariesPage>;

export const explainListingRequest = explainRequest
  .omit({ action: true })
  .extend({
    key: z.string().max(100, 'may have at most 100 characters').exactOptional().describe('As this agent key. Absent: among all actions'),
  })
  .register(components, { id: 'ExplainListingRequest' });

const rival = explainResponse
  .pick({ action: true, score: true, features: true, terms: true, missing: true })
  .extend({ description: z.string() })
  .describe('The action right before it, of at most 10 that are known; the best where the query does not find it');

export const listingExplanation = explainResponse
  .extend({ rival: rival.exactOptional() })
  .register(components, { id: 'ListingExplanation' });
export type ListingExplanation = z.output<typeof listingExplanation>;

export const removedToolkit = z.object({ revokedKeys }).register(components, { id: 'RemovedToolkit' });
export type RemovedToolkit = z.output<typeof removedToolkit>;

const replicaReport = z.object({
  instance: z.string(),
  node: z.string(),
  sdk: z.string(),
  connectedAt: time,
  running: z.int(),
  concurrency: z.number(),
});
export type ReplicaReport = z.output<typeof replicaReport>;

const reviewReason = z.enum(['new', 'changed', 'error', 'rejected']);

const held = reviewReason
  .exactOptional()
  .describe(
    'Why agents cannot use it: nothing was ever approved, other texts were approved, the linter found an error, or an owner rejected its texts',
  );

const rejection = z.object({ reason: z.string(), at: time }).exactOptional().describe('With `held: rejected`: what the owner wrote');

export const actionReport = z
  .object({
    action: z.string(),
    toolkit: z.string(),
    description: z.string(),
    payloadSchema: jsonSchema,
    resultSchema: jsonSchema.exactOptional().describe('Absent: the toolkit does not say'),
    annotations: actionAnnotations.exactOptional(),
    payment: payment.exactOptional().describe('The most that one call costs; absent: the action is free'),
    long: z.literal(true).exactOptional(),
    online: z.boolean(),
    held,
    rejection,
    day: callCounts.exactOptional().describe('Of the last day; only where the toolkit is `mine`'),
    findings: z.array(lintFinding),
  })
  .register(components, { id: 'ActionReport' });
export type ActionReport = z.output<typeof actionReport>;

export const toolkitReportDetail = toolkitReport
  .extend({
    profile: toolkitProfile
      .extend({ readme: z.string().exactOptional().describe('Markdown'), icon: z.string().exactOptional().describe('A data URL') })
      .exactOptional(),
    processes: z.array(replicaReport).exactOptional().describe('Only where `mine`'),
    silentNodes,
    findings: z.array(lintFinding).describe('Of the toolkit as a whole'),
    actionReports: z.array(actionReport),
  })
  .register(components, { id: 'ToolkitReportDetail' });
export type ToolkitReportDetail = z.output<typeof toolkitReportDetail>;

export const toolkitErrorsPage = z
  .object({
    errors: z.array(
      z.object({
        code: z.string().describe("The toolkit's own"),
        action: z.string(),
        day: z.int().describe('Calls of the last 24 hours'),
        week: z.int().describe('Calls of the last 7 days'),
        lastAt: time,
      }),
    ),
  })
  .register(components, { id: 'ToolkitErrorsPage' });
export type ToolkitErrorsPage = z.output<typeof toolkitErrorsPage>;

const counted = z.object({ calls: z.int(), errors: z.int() });

export const toolkitCallers = z
  .object({
    callers: z
      .array(
        z.object({
          name: z.string().describe('Of a key that the reader manages; else `agent <number>`, which stays the same for this toolkit'),
          key: z.string().exactOptional().describe('Id of the key, where the reader manages it'),
          day: counted.describe('Calls of the last 24 hours that have ended'),
          week: counted.describe('Of the last seven days'),
          lastAt: time,
        }),
      )
      .describe('Most calls of the week first, at most 100'),
    countedFrom: time
      .exactOptional()
      .describe('Calls before are not counted: the toolkit had more than 50,000 in the seven days. Absent: all are'),
  })
  .register(components, { id: 'ToolkitCallers' });
export type ToolkitCallers = z.output<typeof toolkitCallers>;

const searchReport = z.object({
  query: z.string(),
  searches: z.int(),
  keys: z.int().describe('How many different agent keys'),
  empty: z.int(),
  used: z.int(),
  lastAt: time,
  actions: z.array(z.object({ action: z.string(), shown: z.int(), used: z.int() })),
});
export type SearchReport = z.output<typeof searchReport>;

export const listSearchesQuery = z.strictObject({
  unmet: z.enum(['true', 'false'], 'must be true or false').default('false').describe('Only those of which nothing was used'),
  toolkit: id.describe('Only those that showed an action of this toolkit'),
  action: id.describe('Only those that showed this action'),
  limit: pageLimit,
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the nextCursor of the page before')
    .exactOptional()
    .describe('`nextCursor` of the page before'),
});

export const searchReportsPage = z
  .object({
    texts: z.enum(['off', 'unmet', 'all']).describe('Of which searches the texts are kept'),
    searches: z.array(searchReport),
    nextCursor,
  })
  .register(components, { id: 'SearchReportsPage' });
export type SearchReportsPage = z.output<typeof searchReportsPage>;

export const listReviewsQuery = z.strictObject({
  toolkit: id.describe('Only actions of this toolkit'),
  state: z
    .enum(['held', 'rejected', 'all'], 'must be held, rejected or all')
    .default('held')
    .describe(
      '`held`: actions that wait for approval; `rejected`: those whose texts an owner rejected; `all`: every action of the toolkit',
    ),
  q: words.describe('Only those that have every word of it in their id or description'),
  limit: pageLimit,
  cursor: nextId,
});

const review = z.object({
  action: z.string(),
  toolkit: z.string(),
  held,
  rejection,
  approved: z.boolean().describe('Whether the present texts are approved'),
  hash: z.string().describe('SHA-256 of `text`: an approval names it'),
  text: z.string().describe('All that a model reads of the action, as canonical JSON'),
  approvedText: z.string().exactOptional().describe('The text that was approved last'),
  findings: z.array(lintFinding).describe('Errors of the linter'),
});
export type Review = z.output<typeof review>;

export const reviewsPage = z.object({ reviews: z.array(review), total: z.int(), nextCursor }).register(components, { id: 'ReviewsPage' });
export type ReviewsPage = z.output<typeof reviewsPage>;

const MOST_APPROVALS = 1_000;

const approvedText = {
  action: z.string().max(100, 'may have at most 100 characters'),
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be the hash of a review'),
};

export const approveActionsRequest = z
  .strictObject({
    approvals: z.array(z.strictObject(approvedText)).min(1, 'must not be empty').max(MOST_APPROVALS, `may hold at most ${MOST_APPROVALS}`),
  })
  .register(components, { id: 'ApproveActionsRequest' });

const MOST_REASON_CHARS = 500;

export const rejectActionsRequest = z
  .strictObject({
    rejections: z.array(z.strictObject(approvedText)).min(1, 'must not be empty').max(MOST_APPROVALS, `may hold at most ${MOST_APPROVALS}`),
    reason: z
      .string()
      .trim()
      .min(1, 'must not be empty: the developer of the toolkit reads it')
      .max(MOST_REASON_CHARS, `may have at most ${MOST_REASON_CHARS} characters`),
  })
  .register(components, { id: 'RejectActionsRequest' });

export const rejectedActions = z
  .object({ rejected: z.array(z.string()).describe('Action ids') })
  .register(components, { id: 'RejectedActions' });

export const approvedActions = z
  .object({ approved: z.array(z.string()).describe('Action ids') })
  .register(components, { id: 'ApprovedActions' });

const actor = z.object({
  kind: z.enum(['person', 'key', 'command', 'address']),
  id: z.string().exactOptional(),
  name: z.string(),
});

const auditEntry = z.object({
  id: z.string(),
  at: time,
  actor,
  what: z.enum(AUDITED),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  group: z
    .object({ count: z.int(), since: z.string().describe('Id of the oldest entry'), from: time })
    .exactOptional()
    .describe('With `grouped`: the entry represents so many of one actor and kind in a row'),
});
export type AuditEntry = z.output<typeof auditEntry>;

const auditFilters = {
  q: words.describe('Only those that have every word of it in kind, subject, actor or details'),
  person: id.describe('Only changes by this account'),
  what: z
    .string()
    .max(2_000, 'may have at most 2000 characters')
    .exactOptional()
    .describe('Only these kinds: codes such as `key.create`, or their first words, separated by commas'),
  from: queriedTime.describe('Then or later'),
  to: queriedTime.describe('Before'),
};

const auditId = z.string().regex(/^aud_[0-9a-z]{1,100}$/, 'must be the id of an entry');

export const listAuditQuery = z.strictObject({
  ...auditFilters,
  grouped: z.literal('true', 'must be true').exactOptional().describe('Four or more of one actor and kind in a row become one entry'),
  since: auditId.exactOptional().describe('Only this entry and younger ones: opens a group'),
  limit: pageLimit,
  cursor: lastId('aud'),
});

export const auditExportQuery = z.strictObject({ ...auditFilters, format: z.enum(['csv', 'jsonl'], 'must be csv or jsonl') });

export const auditPage = z.object({ entries: z.array(auditEntry), nextCursor }).register(components, { id: 'AuditPage' });
export type AuditPage = z.output<typeof auditPage>;

const ledgerFilters = {
  ...timeRange,
  key: id.describe('Only calls of this agent key'),
  toolkit: id,
  action: id.describe('Action id'),
  mine: mine.describe("Only what one's agent keys spent, or what one's toolkits earned"),
};

export const listLedgerQuery = z.strictObject({ ...ledgerFilters, limit: pageLimit, cursor: lastId('inv') });

export const ledgerExportQuery = z.strictObject({ ...ledgerFilters, format: z.enum(['csv', 'jsonl'], 'must be csv or jsonl') });

const ledgerEntry = z.object({
  invocationId: z.string(),
  key: z.object({ id: z.string(), name: z.string().exactOptional() }),
  toolkit: z.string(),
  action: z.string(),
  ...cost.shape,
  heldAt: time.describe('Decides the UTC day whose budget pays'),
  bookedAt: time.exactOptional().describe('When it was charged or released'),
  settledAt: time.exactOptional().describe('When the settlement accepted it'),
});
export type LedgerItem = z.output<typeof ledgerEntry>;

export const ledgerPage = z.object({ entries: z.array(ledgerEntry), nextCursor }).register(components, { id: 'LedgerEntriesPage' });
export type LedgerEntriesPage = z.output<typeof ledgerPage>;

export const sessionQuery = z.strictObject({
  key: id.describe('Only requests of this agent key'),
  limit: pageLimit,
  cursor: z
    .string()
    .regex(/^\d{1,15}~[A-Za-z0-9._-]{1,200}$/, 'must be the nextCursor of the page before')
    .exactOptional()
    .describe('`nextCursor` of the page before'),
});

const sessionEntry = z.union([
  z.object({
    kind: z.literal('search'),
    at: time,
    id: z.string().describe('Calls that it led to have it as `search`'),
    key: z.object({ id: z.string(), name: z.string().exactOptional() }),
    user: z.string().exactOptional(),
    previous: z.string().exactOptional().describe('Id of the search before it in the same conversation'),
    query: z.string().exactOptional().describe('Absent where the setting `searchTexts` does not allow it'),
    shown: z.array(z.string()).describe('Action ids, best first'),
    origin: z.literal('console').exactOptional().describe('A person searched, in the console. Absent: the agent'),
  }),
  z.object({
    kind: z.literal('call'),
    at: time.describe('Its start'),
    call: invocationInfo,
    cost: cost.exactOptional().describe('Of a paid call'),
  }),
]);
export type SessionEntry = z.output<typeof sessionEntry>;

export const sessionPage = z
  .object({
    session: z.string(),
    texts: z.enum(['off', 'unmet', 'all']).describe('Of which searches the texts are kept'),
    entries: z.array(sessionEntry).describe('Oldest first'),
    ...sessionSums,
    nextCursor,
  })
  .register(components, { id: 'SessionPage' });
export type SessionPage = z.output<typeof sessionPage>;

export const playgroundInfo = z
  .object({
    code: z.boolean().describe('Whether this service runs programs'),
    model: z.string().exactOptional().describe("Name of the operator's model. Absent: none that the caller may use"),
  })
  .register(components, { id: 'PlaygroundInfo' });
export type PlaygroundInfo = z.output<typeof playgroundInfo>;

export const nothingFits = z
  .strictObject({
    query: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(2_000, 'may have at most 2,000 characters')
      .describe('The wish, in plain words'),
  })
  .register(components, { id: 'NothingFits' });

/** The members of a chat completion that a page may choose. The service sets the name of the model and streaming. */
export const modelTurn = z
  .strictObject({
    messages: z.array(z.looseObject({ role: z.string() })).min(1),
    tools: z.array(z.looseObject({})).exactOptional(),
  })
  .register(components, { id: 'ModelTurn' });

export const nothingFitsCounted = z
  .object({ counted: z.boolean().describe('False where the setting `searchTexts` keeps no texts') })
  .register(components, { id: 'NothingFitsCounted' });

export const spendingQuery = z.strictObject({
  ...ledgerFilters,
  by: z
    .enum(['key', 'toolkit', 'action', 'day', 'session', 'user'], 'must be key, toolkit, action, day, session or user')
    .describe('By session and user, a member sees only what their own keys spent'),
  limit: limit(200).default(50).describe('Names at most, those with the highest charge; days are all there'),
});

const spent = z.object({
  calls: z.int().describe('Paid calls, with those that cost nothing in the end'),
  charged: amount,
  held: amount,
});

export const spending = z
  .object({
    from: time,
    to: time,
    currency: z.string(),
    total: spent,
    items: z.array(
      spent.extend({
        id: z.string().describe('Id of the key, toolkit, action, session or user; or the UTC day, such as `2026-11-23`'),
        name: z.string().exactOptional().describe('Name of the key or toolkit'),
      }),
    ),
  })
  .register(components, { id: 'Spending' });
export type Spending = z.output<typeof spending>;

const changeEvent = z
  .object({
    changed: z.array(
      z.enum(['invocations', 'counts', 'toolkits', 'keys', 'people', 'settings', 'searches', 'connections', 'approvals', 'alerts']),
    ),
  })
  .register(components, { id: 'ChangeEvent' });
export type ChangeEvent = z.output<typeof changeEvent>;
