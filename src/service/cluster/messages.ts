/**
 * Messages between nodes: one line of JSON, and where there is one, a payload or result as text after it, which is not parsed again.
 *
 * Versions: a node beside an older or newer one ignores members and kinds that it does not know; a missing required member makes the message invalid.
 *           New members are optional for ever.
 */
import * as z from 'zod';
import type { ChangeEvent, TimelineEntry } from '../../protocol/admin';
import type { ModelError } from '../../protocol/errors';
import { progressParams } from '../../protocol/schemas';

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
  /** Null when the caller gave none and cannot retry. */
  claimKey: z.string().nullable(),
  /** The key for the handler: the caller's, or the id of the first attempt. */
  idempotencyKey: z.string(),
  requestHash: z.string(),
  action: z.string(),
  repaired: texts,
  timeoutMs: z.number(),
  attempt: z.number(),
  /** Refuse it when no replica is free now. */
  ifFree: z.boolean(),
  /** The user of the call's agent token. */
  userId: z.string().optional(),
  traceparent: z.string().optional(),
  tracestate: z.string().optional(),
  /** The sender records the call, and needs its timeline with the outcome. */
  watched: z.boolean().optional(),
  /** The id of the search that led to it. */
  searchId: z.string().optional(),
});

/** Asks how a call of the receiver ends; `callId` is the sender's own, to cancel by. */
const join = z.object({ kind: z.literal('join'), id: z.string(), callId: z.string(), agentKeyId: z.string(), timeoutMs: z.number() });

const cancel = z.object({ kind: z.literal('cancel'), id: z.string() });

/** Everything that the sender offers of one toolkit, in place of what it said before. */
const toolkitOffer = z.object({ toolkitId: z.string(), replicas: z.number(), actions: texts });

/** An offer, and those that follow it: `number` is that of the first. A node that does not know of `more` misses them, notices, and asks. */
const offer = toolkitOffer.extend({
  kind: z.literal('offer'),
  from: z.string(),
  number: z.number(),
  more: z.array(toolkitOffer).optional(),
});

/** Every half second: how many offers were sent so far, so that a gap is noticed, and what counts against limits that all nodes share. */
const alive = z.object({ kind: z.literal('alive'), from: z.string(), number: z.number(), counts });

/** The sender has missed something, or is new: say everything that you offer. */
const tellAll = z.object({ kind: z.literal('tell-all'), from: z.string() });

/** The answer: all offers of a node at once. */
const all = z.object({
  kind: z.literal('all'),
  from: z.string(),
  number: z.number(),
  counts,
  offers: z.array(toolkitOffer),
});

/** A call has ended that named a search at the receiver: with `OK` or an error code. */
const called = z.object({
  kind: z.literal('called'),
  from: z.string(),
  searchId: z.string(),
  agentKeyId: z.string(),
  action: z.string(),
  code: z.string(),
});

/** A search has led to the action; before it, in the same conversation, came the one at the receiver. */
const reworded = z.object({
  kind: z.literal('reworded'),
  from: z.string(),
  searchId: z.string(),
  agentKeyId: z.string(),
  action: z.string(),
  /** The id and time of the later search. */
  query: z.string(),
  at: z.number(),
});

/** An MCP client has searched at the sender: its next message may come to any node. */
const sessionSearched = z.object({
  kind: z.literal('session-searched'),
  from: z.string(),
  agentKeyId: z.string(),
  session: z.string(),
  searchId: z.string(),
  shown: texts,
});

/** Open pages of these should refresh; the settings must be read again. */
const changed = z.object({
  kind: z.literal('changed'),
  from: z.string(),
  changed: z.array(z.custom<Changed>((what) => typeof what === 'string')),
});

const leaving = z.object({ kind: z.literal('leaving'), from: z.string() });

/** An instance has registered at the sender. Calls that it does not list have never reached it. */
const instance = z.object({
  kind: z.literal('instance'),
  from: z.string(),
  toolkitId: z.string(),
  instance: z.string(),
  unfinished: texts,
  /** The number of its connection, where it counts them: an earlier one's message may come late. */
  connection: z.number().optional(),
  /** The number of its earlier registered connections. */
  registered: z.number().optional(),
});

/** How much goes on at the receiver, of these toolkits or of all; `processes` of which are named. */
const look = z.object({ kind: z.literal('look'), from: z.string(), toolkitIds: texts.optional(), processes: z.boolean() });

const message = z.discriminatedUnion('kind', [
  call,
  join,
  cancel,
  offer,
  alive,
  tellAll,
  all,
  called,
  reworded,
  sessionSearched,
  changed,
  leaving,
  instance,
  look,
]);

export type NodeMessage = z.infer<typeof message>;
export type CallMessage = z.infer<typeof call>;
export type JoinMessage = z.infer<typeof join>;
export type ToolkitOffer = z.infer<typeof toolkitOffer>;
export type OfferMessage = z.infer<typeof offer>;
export type AllMessage = z.infer<typeof all>;
export type CalledMessage = z.infer<typeof called>;
export type RewordedMessage = z.infer<typeof reworded>;
export type SessionSearchedMessage = z.infer<typeof sessionSearched>;
/** Messages between nodes with a console. */
export type ConsoleMessage = z.infer<typeof changed>;
export type InstanceMessage = z.infer<typeof instance>;
export type LookMessage = z.infer<typeof look>;

/** The timeline of the call at the answering node. It is optional: an unknown entry never loses the answer. */
const timeline = z
  .array(z.custom<TimelineEntry>((entry) => isTimelineEntry(entry)))
  .optional()
  .catch(undefined);

/** State of a call, while it runs and when it ends. `unknown`: the node does not have it. `busy`: no replica was free. */
const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), progress: progressParams.omit({ invocationId: true }) }),
  z.object({ kind: z.literal('result'), timeline }),
  z.object({
    kind: z.literal('error'),
    from: z.string(),
    error: z.custom<ModelError>((error) => isModelError(error)),
    /** How often it was sent to a handler, at least. */
    attempts: z.number(),
    /** It did not run. */
    refused: z.boolean(),
    timeline,
  }),
  z.object({ kind: z.literal('busy') }),
  z.object({ kind: z.literal('unknown') }),
]);

const seen = z.object({
  kind: z.literal('seen'),
  from: z.string(),
  running: z.number(),
  queued: z.number(),
  /** None when they were not asked for. */
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
});

/** The answer to `look`. */
export type SeenAnswer = z.infer<typeof seen>;

function isModelError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as Partial<ModelError>;
  return typeof code === 'string' && typeof message === 'string';
}

function isTimelineEntry(entry: unknown): boolean {
  const { ms, what } = (entry ?? {}) as Partial<TimelineEntry>;
  return typeof ms === 'number' && typeof what === 'string';
}

export type CallAnswer = z.infer<typeof answer>;

export function encodeMessage(head: NodeMessage | CallAnswer | SeenAnswer, body?: string): string {
  const line = JSON.stringify(head);
  return body === undefined ? line : `${line}\n${body}`;
}

export function decodeMessage(text: string): { head: NodeMessage; body: string } | undefined {
  return decode(message, text);
}

export function decodeAnswer(text: string): { head: CallAnswer; body: string } | undefined {
  return decode(answer, text);
}

export function decodeSeen(text: string): SeenAnswer | undefined {
  return decode(seen, text)?.head;
}

/** JSON text has no line feeds of its own, so the first one ends the head. */
function decode<T>(schema: z.ZodType<T>, text: string): { head: T; body: string } | undefined {
  const end = text.indexOf('\n');
  try {
    const head = schema.safeParse(JSON.parse(end === -1 ? text : text.slice(0, end)));
    return head.success ? { head: head.data, body: end === -1 ? '' : text.slice(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}
