/** Runs of code over plain HTTP, and the shop that their programs use. */
import { randomUUID } from 'node:crypto';
import type { ActionContext, Toolkit } from 'svc-sdk';
import type { TestService } from '../../../test/support/service';
import type { Answer } from './long-calls';

/** One agent key or token, at any of the nodes. */
export class Coder {
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

  run(code: string, { more = {}, ...headers }: { more?: object } & Record<string, unknown> = {}): Promise<Answer> {
    const named = 'idempotency-key' in headers || 'run' in more;
    const all = { ...(!named && { 'idempotency-key': randomUUID() }), ...(headers as Record<string, string>) };
    return this.ask('/v1/runs', {
      method: 'POST',
      headers: { ...all, 'content-type': 'application/json' },
      body: JSON.stringify({ code, ...more }),
    });
  }

  follow(run: string, wait = 0): Promise<Answer> {
    return this.ask(`/v1/runs/${run}`, { headers: { prefer: `wait=${wait}` } });
  }

  cancel(run: string): Promise<Answer> {
    return this.ask(`/v1/runs/${run}`, { method: 'DELETE' });
  }

  async ask(path: string, { headers, ...init }: RequestInit): Promise<Answer> {
    const response = await fetch(this.#url + path, { ...init, headers: { ...headers, authorization: `Bearer ${this.#credential}` } });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}

export async function coder(node: TestService, key: object = {}): Promise<Coder> {
  return new Coder(node, (await node.keys.create({ kind: 'agent', name: 'coder', code: true, ...key })).key);
}

/** The toolkit `shop`. Its orders are kept, so that a second run of one is seen. */
export class Shop {
  /** Item -> how often it was ordered. */
  readonly orders = new Map<string, number>();
  readonly aborted: string[] = [];
  /** The calls of the handlers, in order. */
  readonly calls: { action: string; userId: string | undefined }[] = [];
  readonly #ends = new Map<string, () => void>();

  readonly define = (toolkit: Toolkit): void => {
    const item = { item: 'text' };
    const action = (name: string, annotations = {}, more = {}) => ({
      action: name,
      actionDescription: `${name} of a shop`,
      payloadDescription: item,
      annotations,
      ...more,
    });
    toolkit.action(action('price', { readOnly: true }), (ctx, { item: of }) => {
      this.#note('price', ctx);
      return { item: of, cents: String(of).length * 100 };
    });
    toolkit.action(action('order', { destructive: true }), (ctx, { item: of }) => {
      this.#note('order', ctx);
      return { order: this.#count(String(of)) };
    });
    toolkit.action(action('pack', { destructive: true }), (ctx, { item: of }) => this.#pack(ctx, String(of)));
    toolkit.action(action('render', {}, { long: true }), (ctx, { item: of }) => this.#pack(ctx, String(of)));
    toolkit.action(action('fail'), () => {
      throw new Error('no stock');
    });
  };

  /** Ends `pack` and `render` of the item. */
  end(item: string): void {
    this.#ends.get(item)?.();
  }

  isBusyWith(item: string): boolean {
    return this.#ends.has(item);
  }

  #note(action: string, { userId }: ActionContext): void {
    this.calls.push({ action, userId });
  }

  #count(item: string): number {
    const count = (this.orders.get(item) ?? 0) + 1;
    this.orders.set(item, count);
    return count;
  }

  async #pack(ctx: ActionContext, item: string): Promise<unknown> {
    this.#count(item);
    await new Promise<void>((resolve, reject) => {
      this.#ends.set(item, resolve);
      ctx.signal.addEventListener('abort', () => {
        this.aborted.push(item);
        reject(ctx.signal.reason);
      });
    });
    return { packed: item };
  }
}
