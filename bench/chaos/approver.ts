/** The person of the harness, with an admin key: approves most calls that wait, denies the others, and keeps a book. Times are milliseconds since the epoch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { ApprovalInfo, DecideRequest } from '../../src/protocol/approvals.ts';
import { PATHS } from '../../src/protocol/http.ts';
import { randomOf } from '../common/random.ts';

const DENIED_SHARE = 0.2;
const PAUSE_MS = 300;
const AT_ONCE = 8;
const PATIENCE_MS = 10_000;
const PAGE = 100;

export interface Decision {
  decision: DecideRequest['decision'];
  /** The time at which it was first sent. */
  sentAt: number;
}

export class Approver {
  /** Id of an approval -> the decision, which stays the same when it is sent again. */
  readonly decisions = new Map<string, Decision>();
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #random: () => number;
  readonly #dispatcher = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });

  constructor(origin: string, { adminKey, seed }: { adminKey: string; seed: string }) {
    this.#origin = origin;
    this.#headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    this.#random = randomOf(`${seed} approver`);
  }

  async decideUntil(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      // A decision without an answer is sent again while its question waits.
      const ids = (await this.waiting()).values();
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.#decideEach(ids)));
      await sleep(PAUSE_MS);
    }
  }

  /** Ids of the questions that wait. Empty while the service does not answer. */
  async waiting(): Promise<string[]> {
    const ids: string[] = [];
    let cursor = '';
    try {
      do {
        const page = await this.#ask('GET', `${PATHS.approvals}?status=pending&limit=${PAGE}${cursor}`);
        const { approvals, nextCursor } = page as { approvals: ApprovalInfo[]; nextCursor?: string };
        ids.push(...approvals.map(({ id }) => id));
        cursor = nextCursor === undefined ? '' : `&cursor=${encodeURIComponent(nextCursor)}`;
      } while (cursor !== '');
    } catch {
      return []; // A fault: the caller asks again.
    }
    return ids;
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #decideEach(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      const made = this.decisions.get(id) ?? { decision: this.#random() < DENIED_SHARE ? 'deny' : 'approve', sentAt: Date.now() };
      this.decisions.set(id, made);
      await this.#ask('POST', `${PATHS.approvals}/${id}`, { decision: made.decision }).catch(() => undefined);
    }
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: DecideRequest): Promise<unknown> {
    const { statusCode, body: answer } = await request(this.#origin + path, {
      ...{ method, headers: this.#headers, dispatcher: this.#dispatcher },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (statusCode !== 200) throw new Error(`${method} ${path} gave ${statusCode}: ${text}`);
    return JSON.parse(text);
  }
}
