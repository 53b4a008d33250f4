/** Calls that wait for a person, with times that are the same in every run: the service takes them from the database. */
import type { Page, Route } from 'playwright-core';
import { SvcError, Tools } from 'svc-sdk';
import type { CreatedKey, Service } from 'svc-service';
import type { ApprovalInfo } from '../../src/protocol/approvals.ts';
import type { Rule } from '../../src/protocol/rules.ts';
import { NOW, passSomeMs } from './clock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const RULES: Rule[] = [
  { match: { toolkit: 'newsletter' }, do: 'deny' },
  { match: { toolkit: 'orders', hint: 'destructive' }, do: 'ask' },
  { match: { action: 'workshop__book_repair', payload: [{ path: '/repair', in: ['frame', 'motor'] }] }, do: 'ask' },
];

export interface Asked {
  key: CreatedKey;
  /** The one with a picture of its own. */
  approval: string;
}

/** Makes a key with rules, and calls that they ask about. */
export async function askPeople(service: Service): Promise<Asked> {
  const key = await service.keys.create({ kind: 'agent', name: 'returns-desk', rules: RULES });
  const ask = async (userId: string, action: string, payload: unknown): Promise<string> => {
    const tools = new Tools({ baseUrl: service.url, apiKey: key.key, userId, sessionId: `webshop/${userId}` });
    const error = await tools.invoke(action, payload).catch((reason: unknown) => reason);
    const id = SvcError.is(error) ? error.details.approval?.id : undefined;
    if (id === undefined) throw new Error(`${action} does not wait: ${error}`);
    return id;
  };
  await ask('cus_3307', 'workshop__book_repair', { customer: 'cus_3307', time: '2026-11-25T10:30', repair: 'motor' });
  // Ids sort by time.
  passSomeMs(1);
  const approval = await ask('cus_4821', 'orders__cancel_order', { order: 'R-20931', reason: 'changed mind', items: ['KES-400-M'] });
  return { key, approval };
}

/** The first is four minutes old, each further one six minutes more. */
export async function showFixedTimes(page: Page): Promise<void> {
  await page.route(/\/v1\/approvals(\/|\?)/, async (route: Route) => {
    const response = await route.fetch();
    const body = (await response.json()) as ApprovalInfo | { approvals: ApprovalInfo[] };
    const json = 'approvals' in body ? { ...body, approvals: body.approvals.map(withFixedTimes) } : withFixedTimes(body, 0);
    await route.fulfill({ response, json });
  });
  await page.reload();
}

function withFixedTimes(approval: ApprovalInfo, index: number): ApprovalInfo {
  const createdAt = NOW - (4 + 6 * index) * MINUTE_MS;
  return { ...approval, createdAt: new Date(createdAt).toISOString(), expiresAt: new Date(createdAt + DAY_MS).toISOString() };
}
