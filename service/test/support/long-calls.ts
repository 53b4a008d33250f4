/** Calls that go on without their callers, over plain HTTP, and a handler that ends at the test's request. */
import { randomUUID } from 'node:crypto';
import type { ActionContext, Toolkit } from 'svc-sdk';
import type { TestService } from '../../../test/support/service';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests match its members
  body: any;
}

/** One agent key or token, at any of the nodes. */
export class LongCaller {
  readonly #credential: string;
  #url: string;

  constructor({ url }: { url: string }, credential: string) {
    this.#url = url;
    this.#credential = credential;
  }

  /** The later requests go to this node. */
  at({ url }: { url: string }): this {
    this.#url = url;
    return this;
  }

  async start(action: string, payload: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const all = { prefer: 'respond-async', 'idempotency-key': randomUUID(), 'content-type': 'application/json', ...headers };
    return this.#ask('/v1/invoke', { method: 'POST', headers: all, body: JSON.stringify({ action, payload }) });
  }

  /** The handle of a call that goes on. */
  async handle(action: string, payload?: object, headers?: Record<string, string>): Promise<string> {
    const { status, body } = await this.start(action, payload, headers);
    if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.invocationId;
  }

  follow(handle: string, wait = 0, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask(`/v1/invocations/${handle}?wait=${wait}`, { headers });
  }

  cancel(handle: string): Promise<Answer> {
    return this.#ask(`/v1/invocations/${handle}`, { method: 'DELETE' });
  }

  /** A call without anything special. */
  call(action: string, payload: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask('/v1/invoke', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ action, payload }),
    });
  }

  async #ask(path: string, { headers, ...init }: RequestInit): Promise<Answer> {
    const response = await fetch(this.#url + path, { ...init, headers: { ...headers, authorization: `Bearer ${this.#credential}` } });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}

export async function longCaller(node: TestService, name = 'agent'): Promise<LongCaller> {
  return new LongCaller(node, (await node.keys.create({ kind: 'agent', name })).key);
}

/** The toolkit `films`, whose action `render` runs until `end`. Its payload is its name. */
export class Films {
  /** Name of a film -> its runs. */
  readonly runs = new Map<string, number>();
  readonly aborted: string[] = [];
  readonly attempts: number[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly #contexts = new Map<string, ActionContext>();

  readonly define = (toolkit: Toolkit): void => {
    toolkit.action({ action: 'render', actionDescription: 'Renders a film' }, (ctx, payload) => this.#render(ctx, payload));
    toolkit.action({ action: 'copy', actionDescription: 'Copies a film', annotations: { idempotent: true } }, (ctx, payload) =>
      this.#render(ctx, payload),
    );
    toolkit.action({ action: 'fail', actionDescription: 'Fails' }, () => {
      throw new Error('no disk');
    });
  };

  end(name: string): void {
    this.#ends.get(name)?.();
  }

  report(name: string, percent: number): void {
    this.#contexts.get(name)?.progress({ progress: percent, total: 100 });
  }

  async #render(ctx: ActionContext, payload: unknown): Promise<unknown> {
    const { name } = payload as { name: string };
    this.runs.set(name, (this.runs.get(name) ?? 0) + 1);
    this.#contexts.set(name, ctx);
    await new Promise<void>((resolve, reject) => {
      this.#ends.set(name, resolve);
      ctx.signal.addEventListener('abort', () => {
        this.aborted.push(name);
        reject(ctx.signal.reason);
      });
    });
    return { film: name };
  }
}
