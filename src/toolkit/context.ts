/** The handler's second argument beside its payload. */
import type { ContentBlock } from '../protocol/content';
import type { Payment, Progress } from '../protocol/http';
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
}

export interface ActionContext {
  /** Name of the action, without the toolkit id. */
  readonly action: string;
  readonly invocationId: string;
  /** The agent key's id: the same for all calls of one agent, never the key itself. */
  readonly agentId: string;
  /**
   * The user of the call, as named by the holder of its agent key: as it is from a token and from agents of this toolkit's owner, else an id that no
   * other toolkit gets. Undefined when none is named.
   */
  readonly userId: string | undefined;
  /**
   * The name of the call, the same for every attempt: the caller's own key, or the invocation id when the caller sent none. Unique among the calls of
   * one agent, so
   * give `${agentId} ${idempotencyKey}` to an API that must not do the same thing twice.
   */
  readonly idempotencyKey: string;
  /**
   * The attempt, from 1. More: the previous process of the call is gone, and may have run it in part or completely. Only idempotent and read-only
   * actions.
   */
  readonly attempt: number;
  /** When the caller stops waiting. */
  readonly deadline: Date;
  /** Aborts when the caller cancels (`AbortError`) or the deadline passes (`TimeoutError`); pass it on to `fetch` and the like. */
  readonly signal: AbortSignal;
  /** W3C Trace Context of the call, to go with what the handler asks of others; undefined when neither caller nor service sent one. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** The price of the call, which the agent's key holds: the most that it may cost. Undefined for a free call. */
  readonly payment: Payment | undefined;
  /**
   * Sets what the call costs, once: `ctx.charge('0.03')`, a decimal text of at most `ctx.payment.amount`, `'0'` for nothing. A call without a
   * charge costs all of `ctx.payment.amount`; one that fails costs nothing, also after a charge. Throws INVALID_REQUEST.
   */
  readonly charge: (amount: string) => void;
  /**
   * Sets the result and gives it back: `return ctx.result(value)` and `ctx.result(value)` alone are the same. It is sent when the handler ends;
   * the last call counts, and a returned value other than undefined counts more. Becomes plain JSON, as `JSON.stringify` does it and besides:
   * bigint -> text, Map -> object, Set -> array, bytes -> base64, undefined -> null. `ctx.result(value, { payment: { amount: '0.03' } })` charges too.
   */
  readonly result: <Value>(value: Value, options?: ResultOptions) => Value;
  /**
   * An image beside the result, which models that can see look at: `ctx.image(png, 'image/png')`. Attachments are sent in the order in which they
   * were made, whether or not they are returned; `return ctx.image(…)` and `return [ctx.image(…), ctx.link(…)]` leave the result as `ctx.result` set
   * it.
   */
  readonly image: (bytes: Bytes, mediaType: string, details?: AttachmentDetails) => Attachment;
  readonly audio: (bytes: Bytes, mediaType: string, details?: AttachmentDetails) => Attachment;
  /** A file beside the result. A text, or bytes of a text type such as `text/csv`, is read by models as text. */
  readonly file: (content: Bytes | string, mediaType: string, name?: string, details?: FileDetails) => Attachment;
  /** An address beside the result; nothing is fetched. */
  readonly link: (uri: string, details?: LinkDetails) => Attachment;
  /** A text between attachments, such as what the next image shows. */
  readonly text: (text: string, details?: AttachmentDetails) => Attachment;
  /** Makes an error to throw or return: the agent sees its code and message, and `data` if given. */
  readonly error: (code: string, message: string, options?: ActionErrorOptions) => Error;
  /** Reports progress to the waiting caller. Lost when the connection is down; not sent when `progress` is not a finite number. */
  readonly progress: (progress: Progress) => void;
}

/** The invocation of a context. */
export interface ContextSource {
  readonly id: string;
  readonly action: string;
  readonly agentId: string;
  readonly userId: string | undefined;
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly payment: Payment | undefined;
  /** Undefined until the invocation ended. */
  readonly outcome: string | undefined;
  sendProgress(progress: Progress): void;
}

export interface HandlerOutcome {
  result: unknown;
  content: ContentBlock[] | undefined;
  /** An amount. Undefined: all that the call holds. */
  charged: string | undefined;
}

/** Getters keep the common call cheap: no signal, timer or date unless the handler asks. Functions are fields, so that they can be taken out. */
export class InvocationContext implements ActionContext {
  readonly #source: ContextSource;
  /** The last value of `result`. */
  lastResult: unknown;
  /** Made when the handler first attaches something: most never do. */
  #attached: MadeAttachment[] | undefined;
  #charged: string | undefined;
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
    this.lastResult = value;
    return value;
  };

  readonly error = (code: string, message: string, options?: ActionErrorOptions): Error => new ActionError(code, message, options);

  readonly progress = (progress: Progress): void => this.#source.sendProgress(progress);

  /** The meaning of the handler's return value: the result, all attachments, and the charge. */
  outcome(returned: unknown): HandlerOutcome {
    const charged = this.#charged;
    const value = returned === undefined ? this.lastResult : returned;
    const listed = attachmentsIn(value);
    if (!listed) return { result: value, content: this.#attached?.map(({ block }) => block), charged };
    const result = attachmentsIn(this.lastResult) ? undefined : this.lastResult;
    // One that another call has made may be returned here too.
    const all = new Set([...(this.#attached ?? []), ...listed]);
    return { result, content: [...all].map(({ block }) => block), charged };
  }

  /** The handler has returned or thrown: a later charge would be lost. */
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
