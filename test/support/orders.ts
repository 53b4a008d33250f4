/** A service with a toolkit that deletes orders, and the person who decides about its calls. */

import { vi } from 'vitest';
import type { ApprovalInfo, DecideRequest } from '../../src/protocol/approvals';
import type { Rule } from '../../src/protocol/rules';
import { startService } from './service';

export async function startOrders(decidedBy: 'people' | 'app', options?: Parameters<typeof startService>[0]) {
  const service = await startService(options);
  const deleted: number[] = [];
  await service.toolkit('orders', (toolkit) =>
    toolkit.action(
      {
        action: 'delete',
        actionDescription: 'Deletes an order',
        payloadDescription: { id: { type: 'integer', required: true }, note: 'string' },
      },
      (_ctx, { id }) => {
        deleted.push(Number(id));
        return `deleted ${id}`;
      },
    ),
  );
  const rules: Rule[] = [{ match: { action: 'orders__delete' }, do: 'ask', decidedBy }];
  const { id: keyId, key: apiKey } = await service.keys.create({ kind: 'agent', name: 'shop agent', rules });
  const { key: adminKey } = await service.keys.create({ kind: 'admin', name: 'Grace' });
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    return (await (await fetch(`${service.url}/v1/approvals${path}`, { ...init, headers })).json()) as T;
  };
  const list = async () => (await ask<{ approvals: ApprovalInfo[] }>('')).approvals;
  /** Waits for the open question, and answers it. */
  const decide = async (decision: DecideRequest) => {
    const open = await vi.waitUntil(async () => (await list()).find(({ status }) => status === 'pending'), { timeout: 30_000 });
    return ask<ApprovalInfo>(`/${open.id}`, { method: 'POST', body: JSON.stringify(decision) });
  };
  return { service, deleted, apiKey, keyId, adminKey, list, decide };
}
