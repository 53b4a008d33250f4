/** The service plays its part of the transcripts of toolkits' sockets. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Bindings, expectAbsent, expectMatch, fillIn, fillInAll } from '../support/match';
import { startService } from '../support/service';
import { connectionTranscripts, Frames, fail, type Step, transcripts } from '../support/vector-socket';
import { type Fixture, fixtureWithLong, registrationsOf } from '../support/vectors';
import { watchHub } from '../support/watch-hub';

const registrationOf = ({ toolkit }: Fixture) => ({
  protocol: 1,
  sdk: 'vectors/1',
  instance: '$instance',
  toolkit,
  actions: '$actions',
  concurrency: 10,
  unfinished: [],
});
const played = [
  ...transcripts.map((transcript) => ({ ...transcript, fixture: fixtureWithLong(transcript.long) })),
  ...connectionTranscripts.transcripts.map((transcript) => ({ ...transcript, fixture: connectionTranscripts })),
];
const UPGRADE = { path: '/v1/toolkit', headers: { authorization: 'Bearer $toolkitKey' } };
/** The default of a call that names none. */
const TIMEOUT_MS = 10_000;

test.each(played.filter(({ only }) => only !== 'toolkit'))('the service: $name', async ({ steps, fixture }) => {
  const service = await startService();
  const hub = watchHub();
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 'vector' });
  const agent = await service.keys.create({ kind: 'agent', name: 'vectors', budget: { perCall: '1', perDay: '100' } });
  const bindings: Bindings = new Map<string, unknown>([
    ['actions', registrationsOf(fixture)],
    ['toolkitKey', toolkit.key],
    ['agentKey', agent.key],
  ]);
  const sockets: Frames[] = [];
  const socketOf = ({ socket = sockets.length }: Step) => sockets[socket - 1] ?? fail(`There is no socket ${socket}`);
  const upgrade = async ({ upgrade: { path, headers } = UPGRADE, refused }: Step) => {
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null));
    const socket = new WebSocket(service.url.replace('http', 'ws') + path, { headers: fillIn(sent, bindings) as Record<string, string> });
    if (refused) return expectRefusal(socket, refused, bindings);
    const frames = new Frames(socket);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    sockets.push(frames);
  };

  let answer: Promise<string> = Promise.resolve('');
  if (!steps[0]?.upgrade) await upgrade({});
  for (const [index, step] of steps.entries()) {
    const place = `step ${index + 1}`;
    if (step.upgrade) await upgrade(step);
    else if (step.do === 'register') {
      socketOf(step).send({ jsonrpc: '2.0', id: 0, method: 'register', params: fillInAll(registrationOf(fixture), bindings) });
      expectMatch(await socketOf(step).next(), { id: 0, result: { rejected: [] } }, bindings, place);
    } else if (step.do === 'cut') {
      socketOf(step).socket.terminate();
      await socketOf(step).ended();
      await upgrade({});
    } else if (step.do === 'ask to reconnect') hub().askToReconnect(100);
    else if (step.do === 'revoke the key') await service.keys.revoke(toolkit.id);
    else if (step.do === 'move') {
      const former = socketOf(step);
      await upgrade({});
      former.socket.close(1000);
    } else if (step.toolkit) socketOf(step).send(fillInAll(step.toolkit, bindings));
    else if (step.service) {
      const frame = await socketOf(step).next();
      expectMatch(frame, step.service, bindings, place);
      expectAbsent(frame, step.absent, place);
    } else if (step.serviceCloses) expect(await socketOf(step).ended(), place).toMatchObject(step.serviceCloses);
    else if (step.close) socketOf(step).socket.close(step.close);
    else if (step.agent) answer = invoke(service.url, agent.key, { ...step, agent: fillInAll(step.agent, bindings) as object });
    else if (step.agentGets) expectMatch(JSON.parse(await answer), step.agentGets, bindings, place);
    else if (step.agentGetsText !== undefined) expect(await answer, place).toContain(step.agentGetsText);
  }
});

async function expectRefusal(socket: WebSocket, { status, body }: NonNullable<Step['refused']>, bindings: Bindings): Promise<void> {
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(status);
  let text = '';
  for await (const chunk of response) text += chunk;
  expectMatch(JSON.parse(text), body, bindings);
}

async function invoke(
  url: string,
  apiKey: string,
  { agent, timeoutMs = TIMEOUT_MS, idempotencyKey, headers: more }: Step,
): Promise<string> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'svc-timeout-ms': String(timeoutMs),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...more,
  };
  return (await fetch(`${url}/v1/invoke`, { method: 'POST', headers, body: JSON.stringify(agent) })).text();
}
