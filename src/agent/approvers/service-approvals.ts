/**
 * The questions of a service to people, read and decided with an admin key.
 *
 * Errors: SvcError; none holds the key.
 */
import { SvcError } from 'svc-sdk';
import type { ApprovalInfo, DecideRequest } from '../../protocol/approvals';
import { DEFAULT_BASE_URL, PATHS } from '../../protocol/http';

const TIMEOUT_MS = 10_000;
/** The service's limit of one page. */
const PAGE = 100;

export class ServiceApprovals {
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor(baseUrl: string | undefined, apiKey: string) {
    this.#baseUrl = (baseUrl ?? (process.env.SVC_BASE_URL || DEFAULT_BASE_URL)).replace(/\/+$/, '');
    this.#apiKey = apiKey;
  }

  /** The open questions, without payloads. */
  async pending(): Promise<ApprovalInfo[]> {
    const all: ApprovalInfo[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: { approvals: ApprovalInfo[]; nextCursor?: string } = await this.#send(`?status=pending&limit=${PAGE}${after}`);
      all.push(...page.approvals);
      cursor = page.nextCursor;
    }
    return all;
  }

  find(id: string): Promise<ApprovalInfo> {
    return this.#send(`/${encodeURIComponent(id)}`);
  }

  decide(id: string, decision: DecideRequest): Promise<ApprovalInfo> {
    const headers = { 'content-type': 'application/json' };
    return this.#send(`/${encodeURIComponent(id)}`, { method: 'POST', headers, body: JSON.stringify(decision) });
  }

  async #send<T>(path: string, { headers, ...init }: RequestInit = {}): Promise<T> {
    const authorized = { ...headers, authorization: `Bearer ${this.#apiKey}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const url = `${this.#baseUrl}${PATHS.approvals}${path}`;
    const response = await fetch(url, { ...init, headers: authorized, redirect: 'manual', signal }).catch(() => undefined);
    const body: unknown = await response?.json().catch(() => undefined);
    if (response?.ok && body !== undefined) return body as T;
    throw SvcError.fromProblem(body) ?? new SvcError('SERVICE_UNREACHABLE', `No answer from ${this.#baseUrl} about approvals`);
  }
}
