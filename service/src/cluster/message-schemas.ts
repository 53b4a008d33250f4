/**
 * zod schemas of the messages between nodes.
 *
 * Versions: nodes of several versions may run together. Unknown members and kinds are ignored; a missing required member makes a message invalid,
 *           so new members must always be optional.
 */
import * as z from 'zod';
import type { ChangeEvent, TimelineEntry } from '#sdk/protocol/admin';
import type { ModelError } from '#sdk/protocol/errors';
import { progressParams } from '#sdk/protocol/schemas';
import { KIND } from './message-kinds';

/** Data for the console. */
export type Changed = ChangeEvent['changed'][number];

const texts = z.array(z.string());
const counts = z.record(z.string(), z.number());

/** A call for one of the receiver's replicas; the payload follows. */
const call = z.object({
  kind: z.literal('call'),
  from: z.string(),
  id: z.string(),
  agentKeyId: z.string(),
  /** Null when the caller sent no key and cannot retry. */
  claimKey: z.string().nullable(),
  /** The key for the handler: the caller's, or the id of the first attempt. */
  idempotencyKey: z.string(),
  requestHash: z.string(),
  action: z.string(),
  /** The only version of the action that may run. */
  actionVersion: z.string().optional(),
  repaired: texts,
  timeoutMs: z.number(),
  attempt: z.number(),
  /** The receiver refuses the call when it has no free replica. */
  ifFree: z.boolean(),
  /** The user of the call's agent token. */
  userId: z.string().optional(),
  /** The user in the call's header, and the owner of its agent key. */
  namedUser: z.object({ id: z.string(), ownerId: z.string().nullable() }).optional(),
  /** The connection with which the call acts, sealed for the nodes. */
  connection: z.string().optional(),
  traceparent: z.string().optional(),
  tracestate: z.string().optional(),
  /** The sender records the call and needs its timeline with the outcome. */
  watched: z.boolean().optional(),
  /** The id of the search that led to the call. */
  searchId: z.string().optional(),
  /** The program that made the call, for its record. */
  madeBy: z.string().optional(),
  /** A person made the call, in the console. */
  origin: z.literal('console').optional(),
  /** The caller has left: a draining receiver does not wait for the call. */
  detached: z.boolean().optional(),
  /** The amount that a paid call holds, and the budget of its key for a day. */
  hold: z.object({ amount: z.string(), currency: z.string(), perDay: z.string() }).optional(),
});

/** Requests the outcome of the receiver's call `id`. The sender can cancel its request with `callId`. */
const join = z.object({
  kind: z.literal('join'),
  id: z.string(),
  callId: z.string(),
  agentKeyId: z.string(),
  timeoutMs: z.number(),
  /** As in a call. */
  detached: z.boolean().optional(),
});

const cancel = z.object({ kind: z.literal('cancel'), id: z.string() });

/** A person cancelled the call, for all its callers. A cancel without more is of one caller that left. */
const callCancelled = z.object({ kind: z.literal('call-cancelled'), from: z.string(), id: z.string() });

/** The sender's complete offer of one toolkit. It replaces the previous one. */
const toolkitOffer = z.object({ toolkitId: z.string(), replicas: z.number(), actions: texts });

/** Consecutive offers; `number` is the number of the first. An older node ignores `more`, detects the gap and requests all. */
const offer = toolkitOffer.extend({
  kind: z.literal('offer'),
  from: z.string(),
  number: z.number(),
  more: z.array(toolkitOffer).optional(),
});

/** A heartbeat every half second: the number of offers so far, which shows gaps, and the usage of shared limits. */
const heartbeat = z.object({ kind: z.literal(KIND.heartbeat), from: z.string(), number: z.number(), counts });

/** The sender missed an offer or is new, and requests all offers of the receiver. */
const offersRequest = z.object({ kind: z.literal(KIND.offersRequest), from: z.string() });

/** The answer to a request for offers: all offers of a node. */
const allOffers = z.object({
  kind: z.literal(KIND.allOffers),
  from: z.string(),
  number: z.number(),
  counts,
  offers: z.array(toolkitOffer),
});

/** A call that named a search of the receiver has ended, with `OK` or an error code. */
const searchCalled = z.object({
  kind: z.literal(KIND.searchCalled),
  from: z.string(),
  searchId: z.string(),
  agentKeyId: z.string(),
  action: z.string(),
  code: z.string(),
});

/** A search led to the action. The receiver's search was the previous one of the same conversation. */
const searchReworded = z.object({
  kind: z.literal(KIND.searchReworded),
  from: z.string(),
  searchId: z.string(),
  agentKeyId: z.string(),
  action: z.string(),
  /** The id and time of the later search. */
  query: z.string(),
  at: z.number(),
});

/** An MCP client has searched at the sender. Its next message may reach any node. */
const sessionSearched = z.object({
  kind: z.literal('session-searched'),
  from: z.string(),
  agentKeyId: z.string(),
  session: z.string(),
  searchId: z.string(),
  shown: texts,
});

/** Open pages must refresh these data. `settings`: the receiver must also read them again. */
const changed = z.object({
  kind: z.literal('changed'),
  from: z.string(),
  changed: z.array(z.custom<Changed>((what) => typeof what === 'string')),
});

/** A row changed, such as an approval: who waits for it looks again. */
const ring = z.object({ kind: z.literal('ring'), from: z.string(), id: z.string() });

const leaving = z.object({ kind: z.literal('leaving'), from: z.string() });

/** An instance has registered at the sender. Calls that it does not list did not reach it. */
const instance = z.object({
  kind: z.literal('instance'),
  from: z.string(),
  toolkitId: z.string(),
  instance: z.string(),
  unfinished: texts,
  /** The number of the instance's connection, if it counts them: the message of an earlier connection may arrive late. */
  connection: z.number().optional(),
  /** The number of its earlier registered connections. */
  registered: z.number().optional(),
});

/** Queries the receiver's activity for these toolkits, or for all; with `processes` also their processes. */
const activityQuery = z.object({
  kind: z.literal(KIND.activityQuery),
  from: z.string(),
  toolkitIds: texts.optional(),
  processes: z.boolean(),
  /** The receiver adds its own state. */
  state: z.boolean().optional(),
});

export const nodeMessage = z.discriminatedUnion('kind', [
  call,
  join,
  cancel,
  callCancelled,
  offer,
  heartbeat,
  offersRequest,
  allOffers,
  searchCalled,
  searchReworded,
  sessionSearched,
  changed,
  ring,
  leaving,
  instance,
  activityQuery,
]);

export type NodeMessage = z.infer<typeof nodeMessage>;
export type CallMessage = z.infer<typeof call>;
export type JoinMessage = z.infer<typeof join>;
export type ToolkitOffer = z.infer<typeof toolkitOffer>;
export type OfferMessage = z.infer<typeof offer>;
export type AllOffersMessage = z.infer<typeof allOffers>;
export type CalledMessage = z.infer<typeof searchCalled>;
export type RewordedMessage = z.infer<typeof searchReworded>;
export type SessionSearchedMessage = z.infer<typeof sessionSearched>;
/** Messages between nodes with a console. */
export type ConsoleMessage = z.infer<typeof changed>;
export type InstanceMessage = z.infer<typeof instance>;
export type ActivityMessage = z.infer<typeof activityQuery>;

/** The timeline of the call at the answering node. An unknown entry drops the timeline, not the answer. */
const timeline = z
  .array(z.custom<TimelineEntry>((entry) => isTimelineEntry(entry)))
  .optional()
  .catch(undefined);

/** Progress or outcome of a call. `unknown`: the node does not have the call. `busy`: no replica was free. */
export const callAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), progress: progressParams.omit({ invocationId: true }) }),
  z.object({ kind: z.literal('result'), timeline }),
  z.object({
    kind: z.literal('error'),
    from: z.string(),
    error: z.custom<ModelError>((error) => isModelError(error)),
    /** Minimum number of times that the call was sent to a handler. */
    attempts: z.number(),
    /** The call did not run. */
    refused: z.boolean(),
    timeline,
  }),
  z.object({ kind: z.literal('busy') }),
  z.object({ kind: z.literal('unknown') }),
]);

export const activityAnswer = z.object({
  kind: z.literal(KIND.activity),
  from: z.string(),
  running: z.number(),
  queued: z.number(),
  /** Empty unless the query has `processes`. */
  processes: z.array(
    z.object({
      toolkitId: z.string(),
      keyId: z.string(),
      instance: z.string(),
      sdk: z.string(),
      connectedAt: z.number(),
      running: z.number(),
      concurrency: z.number(),
    }),
  ),
  /** Absent unless the query has `state`, and from a node of an earlier version. */
  state: z
    .object({
      version: z.string(),
      uptimeSeconds: z.number(),
      toolkitSockets: z.number(),
      eventLoopBusy: z.number(),
      loadAverage: z.number(),
      processors: z.number(),
      memoryBytes: z.number(),
    })
    .optional(),
});

/** The answer to an activity query. */
export type ActivityAnswer = z.infer<typeof activityAnswer>;

function isModelError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as Partial<ModelError>;
  return typeof code === 'string' && typeof message === 'string';
}

function isTimelineEntry(entry: unknown): boolean {
  const { ms, what } = (entry ?? {}) as Partial<TimelineEntry>;
  return typeof ms === 'number' && typeof what === 'string';
}

export type CallAnswer = z.infer<typeof callAnswer>;
