// @module-tag postgres
// @module-tag nats
/** People cancel running calls in the console: whose keys, at whichever node, with and without a caller that waits. */
import { expect, test, vi } from 'vitest';
import type { AuditPage, InvocationDetail, InvocationsPage } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { offeredAt } from '../../../test/support/nodes';
import { runToolkit } from '../../../test/support/service';
import { startConsoleNodes } from '../support/console-nodes';
import { Films, LongCaller } from '../support/long-calls';

const makeKey = (asker: Asker, body: object) => asker.json<CreatedKey>('POST', PATHS.keys, body);

async function runningCall(asker: Asker): Promise<string> {
  return vi.waitFor(async () => {
    const { invocations } = await asker.json<InvocationsPage>('GET', ADMIN_PATHS.invocations);
    return invocations.find(({ code }) => code === undefined)?.id ?? expect.fail('no call runs');
  });
}

test('the person of the key and owners cancel a running call; its developer and others may not', async () => {
  const service = await startConsole();
  const [anna, dora, ben] = [await service.join('anna'), await service.join('dora'), await service.join('ben')];
  const films = new Films();
  await runToolkit(service.url, (await makeKey(dora, { kind: 'toolkit', name: 'films' })).key, films.define);
  const caller = new LongCaller(service, (await makeKey(anna, { kind: 'agent', name: 'assistant' })).key);
  const [first, retry] = ['a', 'a'].map((key) => caller.call('films__render', { name: 'one' }, { 'idempotency-key': key }));
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  const id = await runningCall(anna);
  const path = `${ADMIN_PATHS.invocations}/${id}`;

  await expect(ben.json('DELETE', path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(dora.json('DELETE', path)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(films.aborted).toEqual([]);
  expect((await anna.ask('DELETE', path)).status).toBe(204);
  for (const answer of [await first, await retry])
    expect(answer).toMatchObject({
      status: 499,
      body: { code: 'INVOCATION_CANCELLED', detail: `A person cancelled ${id} in the console` },
    });
  await vi.waitFor(() => expect(films.aborted).toEqual(['one']));
  await expect.poll(() => anna.json<InvocationDetail>('GET', path)).toMatchObject({ code: 'INVOCATION_CANCELLED' });

  // A call that has ended stays as it is, and no second entry is written.
  expect((await service.owner.ask('DELETE', path)).status).toBe(204);
  const { entries } = await service.owner.json<AuditPage>('GET', `${ADMIN_PATHS.audit}?what=call`);
  expect(entries).toMatchObject([{ what: 'call.cancel', subject: id, actor: { id: anna.id }, details: { name: 'films__render' } }]);
});

test('a call that goes on without its caller is cancelled too, and stays so', async () => {
  const service = await startConsole();
  const films = new Films();
  const { key } = await makeKey(service.owner, { kind: 'toolkit', name: 'films' });
  await runToolkit(service.url, key, films.define);
  const caller = new LongCaller(service, (await makeKey(service.owner, { kind: 'agent', name: 'assistant' })).key);
  const handle = await caller.handle('films__copy', { name: 'one' });
  await vi.waitFor(() => expect(films.runs.get('one')).toBe(1));
  expect(await runningCall(service.owner)).toBe(handle);
  expect((await service.owner.ask('DELETE', `${ADMIN_PATHS.invocations}/${handle}`)).status).toBe(204);
  expect(await caller.follow(handle, 30)).toMatchObject({ status: 499, body: { code: 'INVOCATION_CANCELLED' } });
  expect(films).toMatchObject({ aborted: ['one'], runs: new Map([['one', 1]]) });
});

test('a call is cancelled from any node: at the node that it was sent to, and through another one', async () => {
  const { first, nodes } = await startConsoleNodes(3);
  const films = new Films();
  const { key } = await makeKey(first.owner, { kind: 'toolkit', name: 'films' });
  const holder = nodes[1] ?? expect.fail();
  await runToolkit(holder.url, key, films.define);
  await offeredAt(nodes, 'films__render');
  const agent = await makeKey(first.owner, { kind: 'agent', name: 'assistant' });
  for (const [name, node] of [
    ['held', nodes[1]],
    ['forwarded', nodes[2]],
  ] as const) {
    const answer = new LongCaller(node ?? expect.fail(), agent.key).call('films__render', { name });
    await vi.waitFor(() => expect(films.runs.get(name)).toBe(1));
    const path = `${ADMIN_PATHS.invocations}/${await runningCall(first.owner)}`;
    expect((await first.owner.ask('DELETE', path)).status).toBe(204);
    expect(await answer).toMatchObject({ status: 499, body: { code: 'INVOCATION_CANCELLED' } });
    await vi.waitFor(() => expect(films.aborted).toContain(name));
    await expect.poll(() => first.owner.json<InvocationDetail>('GET', path)).toMatchObject({ code: 'INVOCATION_CANCELLED' });
  }
});
