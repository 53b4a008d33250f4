/** A person who decides about calls, with an admin key. */
import { vi } from 'vitest';
import type { TestService } from '../../../test/support/service';

interface Question {
  id: string;
  status: string;
  action: string;
  payload?: object;
}

export interface Approver {
  /** Waits for the only question that is pending. */
  question(): Promise<Question>;
  decide(id: string, decision: 'approve' | 'deny', reason?: string): Promise<Response>;
  /** Decides about the only question that is pending. */
  decideNext(decision: 'approve' | 'deny', reason?: string): Promise<void>;
}

export async function startApprover(service: TestService): Promise<Approver> {
  const { key } = await service.keys.create({ kind: 'admin', name: 'approver' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const question = async () => {
    const pending = await vi.waitUntil(
      async () => {
        const { approvals } = await (await fetch(`${service.url}/v1/approvals?status=pending`, { headers })).json();
        return approvals.length > 0 && approvals;
      },
      { timeout: 20_000, interval: 20 },
    );
    if (pending.length > 1) throw new Error(`${pending.length} questions are pending`);
    return pending[0];
  };
  const decide: Approver['decide'] = (id, decision, reason) =>
    fetch(`${service.url}/v1/approvals/${id}`, { method: 'POST', headers, body: JSON.stringify({ decision, ...(reason && { reason }) }) });
  return {
    question,
    decide,
    async decideNext(decision, reason) {
      const answer = await decide((await question()).id, decision, reason);
      if (!answer.ok) throw new Error(await answer.text());
    },
  };
}
