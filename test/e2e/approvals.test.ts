/** Models and programs make calls that a person has to approve, through a real service. */
import { type ApprovalQuestion, type Rule, Tools, type ToolsOptions } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { startService, toolCall } from '../support/service';

const ASK_PEOPLE: Rule[] = [{ match: { action: 'shop__refund' }, do: 'ask' }];
const ASK_APP: Rule[] = [{ match: { action: 'shop__refund' }, do: 'ask', decidedBy: 'app' }];
const refund = (order: number) => toolCall('invoke_service', { action: 'shop__refund', payload: { order } });

async function startShop(rules: Rule[], options?: ToolsOptions) {
  const service = await startService();
  const refunded: unknown[] = [];
  await service.toolkit('shop', (toolkit) =>
    toolkit.action(
      { action: 'refund', actionDescription: 'Gives the money back', payloadDescription: { order: { type: 'integer', required: true } } },
      (_ctx, { order }) => {
        refunded.push(order);
        return `Order ${order} is refunded`;
      },
    ),
  );
  const { key } = await service.keys.create({ kind: 'agent', name: 'app', rules });
  const admin = await service.keys.create({ kind: 'admin', name: 'people' });
  const headers = { authorization: `Bearer ${admin.key}`, 'content-type': 'application/json' };
  /** A person of the service decides about the only question that waits. */
  const decide = async (decision: object) => {
    const { approvals } = await (await fetch(`${service.url}/v1/approvals?status=pending`, { headers })).json();
    const init = { method: 'POST', headers, body: JSON.stringify(decision) };
    return fetch(`${service.url}/v1/approvals/${approvals[0].id}`, init);
  };
  return { service, key, refunded, decide, tools: new Tools({ apiKey: key, baseUrl: service.url, ...options }) };
}

const read = ([message]: { content: string }[]) => JSON.parse(message?.content ?? '');

test('the model reads its next step, and the same call later gives the result of the one run', async () => {
  const { tools, refunded, decide } = await startShop(ASK_PEOPLE);
  const { error } = read(await tools.callTools([refund(7)]));
  expect(error).toMatchObject({
    code: 'APPROVAL_REQUIRED',
    message: expect.stringMatching(/^A person has to approve this call first\. Tell the user.*svc__read_result/),
    approval: { id: expect.stringMatching(/^apr_/), status: 'pending', decidedBy: 'people' },
  });
  expect(refunded).toEqual([]);
  expect((await decide({ decision: 'approve' })).status).toBe(200);
  const [again] = await tools.callTools([refund(7)]);
  expect(again?.content).toBe('Order 7 is refunded');
  expect(refunded).toEqual([7]);
});

test('the model reads the result by the id of the approval', async () => {
  const { tools, decide } = await startShop(ASK_PEOPLE);
  const { error } = read(await tools.callTools([refund(7)]));
  await decide({ decision: 'approve' });
  const handle = error.approval.id;
  const [message] = await tools.callTools([toolCall('invoke_service', { action: 'svc__read_result', payload: { handle, wait: 30 } })]);
  expect(message?.content).toBe('Order 7 is refunded');
  expect(await tools.result(handle)).toMatchObject({ result: 'Order 7 is refunded' });
});

test('a denied call says why', async () => {
  const { tools, refunded, decide } = await startShop(ASK_PEOPLE);
  await tools.callTools([refund(7)]);
  await decide({ decision: 'deny', reason: 'not this one' });
  const { error } = read(await tools.callTools([refund(7)]));
  expect(error).toMatchObject({ code: 'APPROVAL_DENIED', approval: { status: 'denied', reason: 'not this one' } });
  expect(refunded).toEqual([]);
});

test('calls that wait get the result of their one run', async () => {
  const { tools, refunded, decide } = await startShop(ASK_PEOPLE, { approvals: 'wait' });
  const calls = [tools.callTools([refund(7)]), tools.callTools([refund(7)]), tools.invoke('shop__refund', { order: 7 })];
  await vi.waitFor(async () => expect((await decide({ decision: 'approve' }).catch(() => undefined))?.status).toBe(200));
  const [first, second, third] = await Promise.all(calls);
  expect([first, second]).toMatchObject(Array(2).fill([{ content: 'Order 7 is refunded' }]));
  expect(third).toMatchObject({ result: 'Order 7 is refunded' });
  expect(refunded).toEqual([7]);
});

test('an app asks its own user, shows the payload that runs, and decides with its own key', async () => {
  const asked: ApprovalQuestion[] = [];
  const { tools, refunded } = await startShop(ASK_APP, {
    userId: 'ada',
    onApprovalRequired(question) {
      asked.push(question);
      return question.payload.order === 7 ? 'approve' : { decision: 'deny', reason: 'only order 7' };
    },
  });
  // The order is a text, as models write it.
  const call = (order: string) => tools.callTools([toolCall('invoke_service', { action: 'shop__refund', payload: { order } })]);
  expect(await call('7')).toMatchObject([{ content: expect.stringContaining('Order 7 is refunded') }]);
  expect(read(await call('8')).error).toMatchObject({ code: 'APPROVAL_DENIED', approval: { reason: 'only order 7' } });
  expect(asked).toMatchObject([
    { action: 'shop__refund', payload: { order: 7 }, userId: 'ada', status: 'pending' },
    { payload: { order: 8 } },
  ]);
  expect(refunded).toEqual([7]);
});

test('an app decides later, and neither its token nor the rule of people lets it', async () => {
  const { service, key, tools, refunded } = await startShop([{ match: { payload: [{ path: '/order', is: 8 }] }, do: 'ask' }, ...ASK_APP]);
  const idOf = async (order: number) => read(await tools.callTools([refund(order)])).error.approval.id;
  const [own, peoples] = [await idOf(7), await idOf(8)];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const created = await fetch(`${service.url}/v1/tokens`, { method: 'POST', headers, body: JSON.stringify({ ttlSeconds: 60 }) });
  const page = new Tools({ baseUrl: service.url, apiKey: (await created.json()).token });
  await expect(page.decideApproval(own, { decision: 'approve' })).rejects.toMatchObject({ status: 403 });
  await expect(tools.decideApproval(peoples, { decision: 'approve' })).rejects.toMatchObject({ status: 403 });
  expect(await tools.decideApproval(own, { decision: 'approve' })).toMatchObject({ id: own, action: 'shop__refund' });
  await expect(tools.decideApproval(own, { decision: 'deny' })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await tools.result(own, { wait: 30 })).toMatchObject({ result: 'Order 7 is refunded' });
  expect(refunded).toEqual([7]);
});
