/** `Toolkit` plays its part of the transcripts, with a server that sends their frames. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SvcError, Toolkit } from 'svc-sdk';
import { expect, type TestContext, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { type Bindings, expectAbsent, expectMatch, fillIn, fillInAll } from '../support/match';
import { connectionTranscripts, Frames, fail, PATIENCE, type Step, type Transcript, transcripts } from '../support/vector-socket';
import {
  defineConnectionsFixture,
  defineFixture,
  type Fixture,
  fixtureWithLong,
  moreRegistrations,
  registrationsOf,
} from '../support/vectors';

const KEY = 'svc_toolkit_vectors';
/** 64 Ki characters of actions, and the frame around them. */
const MAX_PART_CHARS = 66_000;
const UPGRADE = { path: '/v1/toolkit', headers: { authorization: 'Bearer $toolkitKey' } };

/** An upgrade that waits for its answer. */
interface Upgrade {
  request: IncomingMessage;
  accept(): Promise<Frames>;
  refuse(status: number, body: unknown): void;
}

interface Played extends Transcript {
  fixture: Fixture;
  define(toolkit: Toolkit): { openGate(): void };
}

const noGate = { openGate: () => {} };
const played: Played[] = [
  ...transcripts.map((transcript) => {
    const registered = fixtureWithLong(transcript.long);
    return { ...transcript, fixture: registered, define: (toolkit: Toolkit) => defineFixture(toolkit, registered) };
  }),
  ...connectionTranscripts.transcripts.map((transcript) => ({
    ...transcript,
    fixture: connectionTranscripts,
    define(toolkit: Toolkit) {
      defineConnectionsFixture(toolkit, connectionTranscripts);
      return noGate;
    },
  })),
];

// Side by side: most of their time is waiting.
test.concurrent.for(played.filter(({ only }) => only !== 'service'))(
  'Toolkit: $name',
  async ({ steps, options, more = 0, fixture, define }, { onTestFinished }) => {
    const { url, upgrades } = await startServer(onTestFinished);
    // The listener keeps abandoned toolkits from writing to stderr.
    const toolkit = new Toolkit({ baseUrl: url, apiKey: KEY, onStatus: () => {}, ...options });
    await toolkit.updateToolkit(fixture.toolkit);
    const { openGate } = define(toolkit);
    const moreActions = moreRegistrations(more);
    for (const [n, action] of moreActions.entries()) toolkit.action(action, () => n);
    // Some transcripts end without a socket, so a toolkit that is stopped then has no connection to close.
    onTestFinished(() => void toolkit.stop({ timeoutMs: 1 }));
    const bindings: Bindings = new Map<string, unknown>([
      ['actions', [...registrationsOf(fixture), ...moreActions]],
      ['toolkitKey', KEY],
    ]);
    const sockets: Frames[] = [];
    const socketOf = ({ socket = sockets.length }: Step) => sockets[socket - 1] ?? fail(`There is no socket ${socket}`);
    const upgraded = async ({ upgrade = UPGRADE, refused, open = [] }: Step) => {
      const { request, accept, refuse } = await vi.waitFor(() => upgrades.shift() ?? fail('no upgrade came'), PATIENCE);
      expectUpgrade(request, upgrade, bindings);
      expect(
        open.filter((socket) => sockets[socket - 1]?.closed),
        'closed before the next is open',
      ).toEqual([]);
      if (refused) refuse(refused.status, fillInAll(refused.body, bindings));
      else sockets.push(await accept());
    };

    let ended: { error: unknown } | undefined;
    toolkit.run().then(
      () => {
        ended = { error: null };
      },
      (error: unknown) => {
        ended = { error: SvcError.is(error) ? error.toJSON() : error };
      },
    );
    const expectEnd = async (expected: unknown) =>
      expectMatch(await vi.waitFor(() => ended ?? fail('run() goes on'), PATIENCE), { error: expected }, bindings);

    if (!steps[0]?.upgrade) await upgraded({});
    for (const [index, step] of steps.entries()) {
      const place = `step ${index + 1}`;
      if (step.optional) continue;
      if (step.upgrade) await upgraded(step);
      else if (step.do === 'register') await answerRegister(socketOf(step), step.heartbeatMs ?? 10_000, bindings, fixture);
      else if (step.do === 'cut') {
        socketOf(step).socket.terminate();
        await upgraded({});
      } else if (step.do === 'move') {
        const former = socketOf(step);
        await upgraded({ open: [sockets.length] });
        expect((await former.ended()).code).toBe(1000);
      } else if (step.do === 'open the gate') openGate();
      else if (step.do === 'stop') void toolkit.stop(step.timeoutMs === undefined ? {} : { timeoutMs: step.timeoutMs });
      else if (step.do === 'take the list') await takeList(socketOf(step), step, bindings);
      else if (step.do === 'remove an action') expect(toolkit.removeAction(step.action ?? '')).toBe(true);
      else if (step.do === 'update') void toolkit.updateToolkit(step.details ?? {});
      else if (step.toolkit) {
        const frame = await nextFrame(socketOf(step), step.toolkit);
        expectMatch(frame, step.toolkit, bindings, place);
        expectAbsent(frame, step.absent, place);
      } else if (step.service) socketOf(step).send(fillInAll(step.service, bindings));
      else if (step.serviceCloses) socketOf(step).socket.close(step.serviceCloses.code, step.serviceCloses.reason);
      else if (step.close) {
        await answerUntilClosed(socketOf(step));
        expect(socketOf(step).closed?.code, place).toBe(step.close);
      } else if (step.ends !== undefined) await expectEnd(step.ends);
    }
    expect(
      sockets.flatMap(({ left }) => left.filter((frame) => !isHeartbeat(frame))),
      'frames that the transcript does not have',
    ).toEqual([]);
    if (ended) expect(upgrades, 'connected again').toEqual([]);
  },
);

async function startServer(onTestFinished: TestContext['onTestFinished']): Promise<{ url: string; upgrades: Upgrade[] }> {
  const upgrades: Upgrade[] = [];
  const server = createServer();
  const webSockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, stream, head) => {
    // A toolkit cuts the connection off when it has read a refusal.
    stream.on('error', () => {});
    onTestFinished(() => void stream.destroy());
    upgrades.push({
      request,
      accept: () => new Promise((resolve) => webSockets.handleUpgrade(request, stream, head, (socket) => resolve(new Frames(socket)))),
      refuse: (status, body) => {
        const text = JSON.stringify(body ?? {});
        stream.end(
          `HTTP/1.1 ${status} Refused\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, upgrades };
}

function expectUpgrade({ url, headers }: IncomingMessage, expected: NonNullable<Step['upgrade']>, bindings: Bindings): void {
  expect(url).toBe(expected.path);
  for (const [name, value] of Object.entries(expected.headers)) expect(headers[name] ?? null, name).toBe(fillIn(value, bindings));
}

async function answerRegister(socket: Frames, heartbeatMs: number, bindings: Bindings, { actions, toolkit }: Fixture): Promise<void> {
  const register = (await socket.next()) as { id: unknown; params: unknown };
  expectMatch(
    register,
    { method: 'register', params: { protocol: 1, instance: '$instance', actions: '$actions', unfinished: [] } },
    bindings,
  );
  const accepted = actions.map(({ action }) => `vector__${action}`);
  const result = { protocol: 1, toolkit: { id: 'vector', ...toolkit }, accepted, rejected: [], awaiting: [], heartbeatMs };
  socket.send({ jsonrpc: '2.0', id: register.id, result });
}

/** Reads `actions` requests until all actions of the list have arrived, each once. */
async function takeList(socket: Frames, { size = 0, error }: Step, bindings: Bindings): Promise<void> {
  const taken: unknown[] = [];
  while (taken.length < size) {
    const frame = (await nextFrame(socket, {})) as { id: unknown; method: string; params: { actions: unknown[] } };
    expect(frame.method).toBe('actions');
    expect(JSON.stringify(frame).length).toBeLessThan(MAX_PART_CHARS);
    taken.push(...frame.params.actions);
    socket.send({ jsonrpc: '2.0', id: frame.id, ...(error ? { error } : { result: {} }) });
  }
  const all = bindings.get('actions') as { action: string }[];
  const names = new Set(taken.map((action) => (action as { action: string }).action));
  expect(taken).toEqual(all.filter(({ action }) => names.has(action)));
  expect(names.size).toBe(size);
}

/** Heartbeats between the frames of the transcript are answered: their times are the toolkit's own. */
async function nextFrame(socket: Frames, expected: object | string): Promise<unknown> {
  for (;;) {
    const frame = await socket.next();
    if (!isHeartbeat(frame) || isHeartbeat(expected)) return frame;
    answerHeartbeat(socket, frame);
  }
}

/** A toolkit may request a last confirmation before it closes. */
async function answerUntilClosed(socket: Frames): Promise<void> {
  await vi.waitFor(() => {
    const heartbeat = socket.takeIf(isHeartbeat);
    if (heartbeat) answerHeartbeat(socket, heartbeat);
    if (!socket.closed) fail('still open');
  }, PATIENCE);
}

function isHeartbeat(frame: unknown): boolean {
  return (frame as { method?: unknown }).method === 'heartbeat';
}

function answerHeartbeat(socket: Frames, heartbeat: unknown): void {
  socket.send({ jsonrpc: '2.0', id: (heartbeat as { id: unknown }).id, result: {} });
}
