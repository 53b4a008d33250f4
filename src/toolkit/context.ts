/** The context of a call, the first argument of every handler. */
import type { ActionMeta } from '../protocol/action-meta';
import type { ContentBlock } from '../protocol/content';
import type { Payment, Progress } from '../protocol/http';
import type { ActionConnection } from './action-connection';
import { ActionError, type ActionErrorOptions } from './action-error';
import {
  type Attachment,
  type AttachmentDetails,
  type Bytes,
  type FileDetails,
  fileBlock,
  type LinkDetails,
  linkBlock,
  MadeAttachment,
  mediaBlock,
  textBlock,
} from './attachment';
import { checkCharge } from './charge';

export interface ResultOptions {
  /** The charge of the call, as `ctx.charge(amount)` sets it. */
  payment?: { amount: string } | undefined;
  /** `_meta` of the result for MCP clients and their apps, at most 64 KiB as JSON. No model reads it. */
  meta?: ActionMeta | undefined;
}

/** `Result` is the type of the result, as `resultDescription` says it in a schema. */
export interface ActionContext<Result = unknown> {
  /** Name of the action, without the toolkit id. */
  readonly action: string;
  readonly invocationId: string;
  /** The id of the agent key, the same for all calls of one agent; never the key itself. */
  readonly agentId: string;
  /**
   * The user of the call, as named by the holder of its agent key: as it is from a token and from agents of this toolkit's owner, else an id that no
   * other toolkit gets. Undefined when none is named.
   */
  readonly userId: string | undefined;
  /**
   * The account with which the call acts at the API behind the toolkit: docs/connections.md. A handler runs with it alone where its toolkit asks for
   * one with `auth`. Undefined elsewhere.
   */
  readonly connection: ActionConnection | undefined;
  /**
   * The name of the call, the same for every attempt: the caller's own key, or the invocation id when the caller sent none. Unique among the calls of
   * one agent, so
   * give `${agentId} ${idempotencyKey}` to an API that must not do the same thing twice.
   */
  readonly idempotencyKey: string;
  /**
   * 1 for the first attempt. Above 1, an earlier process that had the call is gone, and may have run the call in part or completely. Only
   * idempotent and read-only actions are attempted again.
   */
  readonly attempt: number;
  /** When the caller stops waiting. */
  readonly deadline: Date;
  /**
   * Aborts when the caller cancels (`AbortError`) or the deadline passes (`TimeoutError`). Pass the signal on to `fetch` and similar
   * functions.
   */
  readonly signal: AbortSignal;
  /** W3C Trace Context of the call, for requests that the handler sends; undefined when neither caller nor service sent one. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** The highest price of the call, which the agent's key holds. Undefined for a free call. */
  readonly payment: Payment | undefined;
  /**
   * Sets what the call costs, once: `ctx.charge('0.03')`, a decimal text of at most `ctx.payment.amount`, `'0'` for nothing. A call without
   * a charge costs all of `ctx.payment.amount`. A failed call costs nothing, even after a charge. Throws INVALID_REQUEST.
   */
  readonly charge: (amount: string) => void;
  /**
   * Sets the result and returns `value`: `return ctx.result(value)` and `ctx.result(value)` alone are the same. The result is sent when the
   * handler ends. The last call counts, and a return value other than undefined replaces the result. `value` becomes plain JSON, as by
   * `JSON.stringify`, and in addition: bigint -> text, Map -> object, Set -> array, bytes -> base64, undefined -> null. The option
   * `payment: { amount: '0.03' }` charges too.
   */
  readonly result: <Value extends Result>(value: Value, options?: ResultOptions) => Value;
  /**
   * Attaches an image to the result, for models with vision: `ctx.image(png, 'image/png')`. Attachments are sent in the order in which they
   * were made, whether or not they are returned; `return ctx.image(…)` and `return [ctx.image(…), ctx.link(…)]` leave the result as
   * `ctx.result` set it.
   */
  readonly image: (bytes: Bytes, mediaType: string, details?: AttachmentDetails) => Attachment;
  readonly audio: (bytes: Bytes, mediaType: string, details?: AttachmentDetails) => Attachment;
  /** Attaches a file to the result. Models read a text, or bytes of a text type such as `text/csv`, as text. */
  readonly file: (content: Bytes | string, mediaType: string, name?: string, details?: FileDetails) => Attachment;
  /** Attaches an address to the result, which is not fetched. */
  readonly link: (uri: string, details?: LinkDetails) => Attachment;
  /** Adds a text between attachments, such as a caption of the next image. */
  readonly text: (text: string, details?: AttachmentDetails) => Attachment;
  /**
   * Makes an error to throw or return. The agent sees its code and message, and `data` if given. `CONNECTION_REQUIRED` says that the account of the
   * call cannot be used and that the call had no effect: its user is asked to connect another one.
   */
  readonly error: (code: string, message: string, options?: ActionErrorOptions) => Error;
  /**
   * Reports progress to the waiting caller. A report is dropped while the connection is down, and with a line to `onWarning` when
   * `progress` is not a finite number.
   */
  readonly progress: (progress: Progress) => void;
}

/** The invocation of a context. */
export interface ContextSource {
  readonly id: string;
  readonly action: string;
  readonly agentId: string;
  readonly userId: string | undefined;
  readonly connection: ActionConnection | undefined;
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly payment: Payment | undefined;
  /** Undefined until the invocation has ended. */
  readonly outcome: string | undefined;
  sendProgress(progress: Progress): void;
}

export interface HandlerOutcome {
  result: unknown;
  content: ContentBlock[] | undefined;
  /** An amount. Undefined: the whole hold of the call. */
  charged: string | undefined;
  meta: ActionMeta | undefined;
}

/**
 * Getters keep the common call cheap: signal, timer and date are made on first use. Functions are fields or bound, so that a handler can
 * destructure the context.
 */
export class InvocationContext implements ActionContext {
  readonly #source: ContextSource;
  /** The last value of `result`. */
  lastResult: unknown;
  /** Created on first use: most handlers attach nothing. */
  #attached: MadeAttachment[] | undefined;
  #charged: string | undefined;
  #meta: ActionMeta | undefined;
  #ended = false;

  constructor(source: ContextSource) {
    this.#source = source;
  }

  get action(): string {
    return this.#source.action;
  }

  get invocationId(): string {
    return this.#source.id;
  }

  get agentId(): string {
    return this.#source.agentId;
  }

  get userId(): string | undefined {
    return this.#source.userId;
  }

  get connection(): ActionConnection | undefined {
    return this.#source.connection;
  }

  get idempotencyKey(): string {
    return this.#source.idempotencyKey;
  }

  get attempt(): number {
    return this.#source.attempt;
  }

  get deadline(): Date {
    return new Date(this.#source.deadline);
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }

  get traceparent(): string | undefined {
    return this.#source.traceparent;
  }

  get tracestate(): string | undefined {
    return this.#source.tracestate;
  }

  get payment(): Payment | undefined {
    return this.#source.payment;
  }

  get charge() {
    return (amount: string): void => {
      const ended = this.#ended || this.#source.outcome !== undefined;
      checkCharge(amount, { hold: this.#source.payment, charged: this.#charged, ended });
      this.#charged = amount;
    };
  }

  get image() {
    return (bytes: Bytes, mediaType: string, details?: AttachmentDetails) => this.#attach(mediaBlock('image', bytes, mediaType, details));
  }

  get audio() {
    return (bytes: Bytes, mediaType: string, details?: AttachmentDetails) => this.#attach(mediaBlock('audio', bytes, mediaType, details));
  }

  get file() {
    return (content: Bytes | string, mediaType: string, name?: string, { uri, ...details }: FileDetails = {}) => {
      const made = `svc://${this.#source.id}/${encodeURIComponent(name ?? `file-${(this.#attached?.length ?? 0) + 1}`)}`;
      return this.#attach(fileBlock(content, mediaType, uri ?? made, details));
    };
  }

  get link() {
    return (uri: string, details?: LinkDetails) => this.#attach(linkBlock(uri, details));
  }

  get text() {
    return (text: string, details?: AttachmentDetails) => this.#attach(textBlock(text, details));
  }

  readonly result = <Value>(value: Value, options?: ResultOptions): Value => {
    if (options?.payment) this.charge(options.payment.amount);
    this.#meta = options?.meta;
    this.lastResult = value;
    return value;
  };

  readonly error = (code: string, message: string, options?: ActionErrorOptions): Error => new ActionError(code, message, options);

  readonly progress = (progress: Progress): void => this.#source.sendProgress(progress);

  /** Returns the result, all attachments and the charge, given the handler's return value. */
  outcome(returned: unknown): HandlerOutcome {
    const charged = this.#charged;
    const meta = this.#meta;
    const value = returned === undefined ? this.lastResult : returned;
    const listed = attachmentsIn(value);
    if (!listed) return { result: value, content: this.#attached?.map(({ block }) => block), charged, meta };
    const result = attachmentsIn(this.lastResult) ? undefined : this.lastResult;
    // A handler may return an attachment that another call made.
    const all = new Set([...(this.#attached ?? []), ...listed]);
    return { result, content: [...all].map(({ block }) => block), charged, meta };
  }

  /** Call this when the handler has returned or thrown: later charges throw. */
  end(): void {
    this.#ended = true;
  }

  #attach(block: ContentBlock): Attachment {
    const attachment = new MadeAttachment(block);
    this.#attached ??= [];
    this.#attached.push(attachment);
    return attachment;
  }
}

/** Undefined for a value that is a result. */
function attachmentsIn(returned: unknown): MadeAttachment[] | undefined {
  if (returned instanceof MadeAttachment) return [returned];
  const isList = Array.isArray(returned) && returned.length > 0;
  return isList && returned.every((item) => item instanceof MadeAttachment) ? returned : undefined;
}
