/** Calls that a program of the model's provider makes: which of them run, and their records. */
import { SvcError, type Toolkit } from 'svc-sdk';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage } from '#sdk/protocol/admin';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';

const BY_PROGRAM = { madeBy: 'program' } as const;

function defineOffice(toolkit: Toolkit, ran: string[]): void {
  const action = (name: string, annotations?: object) =>
    toolkit.action({ action: name, actionDescription: `Does ${name}`, ...(annotations && { annotations }) }, () => void ran.push(name));
  action('read', { readOnly: true });
  action('put', { idempotent: true });
  action('erase', { idempotent: true, destructive: true });
  action('send');
}

async function startOffice() {
  const service = await startConsole();
  const ran: string[] = [];
  await service.toolkit('office', (toolkit) => defineOffice(toolkit, ran));
  return { service, owner: service.owner, ran };
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => (SvcError.is(error) ? error.code : Promise.reject(error)),
  );

async function recordsOf({ json }: Awaited<ReturnType<typeof startOffice>>['owner']) {
  const { invocations } = await json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?limit=50`);
  return invocations.map(({ action, code, madeBy }) => [action, code, madeBy]).reverse();
}

test('a program calls only actions whose second run changes nothing more', async () => {
  const { service, owner, ran } = await startOffice();
  const tools = await service.tools();
  const codes: Record<string, string> = {};
  for (const name of ['read', 'put', 'erase', 'send']) codes[name] = await codeOf(tools.invoke(`office__${name}`, {}, BY_PROGRAM));
  expect(codes).toEqual({ read: 'OK', put: 'OK', erase: 'CALL_DIRECTLY', send: 'CALL_DIRECTLY' });
  expect(ran).toEqual(['read', 'put']);
  // The model calls the same action itself.
  expect(await codeOf(tools.invoke('office__send'))).toBe('OK');
  expect(await recordsOf(owner)).toEqual([
    ['office__read', 'OK', 'program'],
    ['office__put', 'OK', 'program'],
    ['office__erase', 'CALL_DIRECTLY', 'program'],
    ['office__send', 'CALL_DIRECTLY', 'program'],
    ['office__send', 'OK', undefined],
  ]);
});

test('the refusal says to call the action directly, to a model and from /v1/resolve', async () => {
  const { service } = await startOffice();
  const tools = await service.tools();
  const answer = await tools.answerTool('invoke_service', { action: 'office__send', payload: {} }, BY_PROGRAM);
  expect(answer.error).toMatchObject({ code: 'CALL_DIRECTLY', retryable: false, message: expect.stringContaining('yourself') });
  const { key } = await service.keys.create({ kind: 'agent', name: 'loop' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', [HEADERS.caller]: 'program' };
  const resolved = await fetch(service.url + PATHS.resolve, { method: 'POST', headers, body: '{"action":"office__send"}' });
  expect(await resolved.json()).toMatchObject({ status: 403, code: 'CALL_DIRECTLY' });
});

test('a call that a rule asks a person about is refused and asks no person; one that a rule denies stays denied', async () => {
  const { service, owner, ran } = await startOffice();
  const asking = await service.tools({}, { rules: [{ match: { action: 'office__read' }, do: 'ask' }] });
  expect(await codeOf(asking.invoke('office__read', {}, BY_PROGRAM))).toBe('CALL_DIRECTLY');
  const own = await service.tools();
  const answered = await own.answerTool('office__read', {}, { ...BY_PROGRAM, ask: { always: true } });
  expect(answered.error?.code).toBe('CALL_DIRECTLY');
  expect(await owner.json('GET', PATHS.approvals)).toMatchObject({ approvals: [] });
  const denying = await service.tools({}, { rules: [{ match: { action: 'office__read' }, do: 'deny' }] });
  expect(await codeOf(denying.invoke('office__read', {}, BY_PROGRAM))).toBe('ACTION_NOT_ALLOWED');
  expect(ran).toEqual([]);
  expect(await codeOf(asking.invoke('office__read'))).toBe('APPROVAL_REQUIRED');
});

test('every way into the service reads the header, and no other value passes', async () => {
  const { service, owner } = await startOffice();
  const { key } = await service.keys.create({ kind: 'agent', name: 'loop' });
  const call = async (action: string, caller: string, extra: object = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', [HEADERS.caller]: caller, ...extra };
    const response = await fetch(service.url + PATHS.invoke, { method: 'POST', headers, body: JSON.stringify({ action }) });
    return response.text();
  };
  // The parser of plain requests leaves an unknown header to node:http, and a stream of events too.
  const ways = [{}, { 'unusual-header': 'yes' }, { accept: 'text/event-stream' }];
  for (const way of ways) {
    expect(await call('office__send', 'program', way)).toContain('CALL_DIRECTLY');
    expect(await call('office__read', 'program', way)).toContain('invocationId');
    expect(await call('office__read', 'run_1', way)).toContain('INVALID_REQUEST');
  }
  expect((await recordsOf(owner)).filter(([, , madeBy]) => madeBy !== 'program')).toEqual([]);
});
