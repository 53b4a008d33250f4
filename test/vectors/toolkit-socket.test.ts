import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Toolkit } from 'svc-sdk';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { type Bindings, expectMatch, fillIn } from '../support/match';
import { startService } from '../support/service';
import { defineFixture, fixture, fixtureRegistrations, vector } from '../support/vectors';
import { watchHub } from '../support/watch-hub';

interface Step {
  toolkit?: object;
  service?: object;
  agent?: object;
  timeoutMs?: number;
  idempotencyKey?: string;
  agentGets?: object;
  do?: 'register' | 'cut' | 'ask to reconnect' | 'move' | 'open the gate' | 'stop';
  close?: number;
  /** The side that is tested may leave it out. */
  optional?: boolean;
}

interface Transcript {
  name: string;
  only?: 'toolkit' | 'service';
  steps: Step[];
}

const transcripts = vector<Transcript[]>('toolkit-socket');
const registration = {
  protocol: 1,
  sdk: 'vectors/1',
  instance: 'vector-instance',
  toolkit: fixture.toolkit,
  actions: fixtureRegistrations,
  concurrency: 10,
};

/** The frames of one socket, in order. */
class Frames {
  readonly socket: WebSocket;
  readonly #frames: unknown[] = [];
  closed: number | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: RawData) => this.#frames.push(JSON.parse(String(data))));
    socket.on('close', (code) => {
      this.closed = code;
    });
    onTestFinished(() => socket.terminate());
  }

  send(frame: unknown): void {
    this.socket.send(JSON.stringify(frame));
  }

  next(): Promise<unknown> {
    return vi.waitFor(() => this.#frames.shift() ?? expect.fail('no frame came'), { timeout: 5_000, interval: 5 });
  }
}

describe('the service plays its part', () => {
  test.each(transcripts.filter(({ only }) => only !== 'toolkit'))('$name', async ({ steps }) => {
    const service = await startService();
    const hub = watchHub();
    const toolkit = await service.keys.create({ kind: 'toolkit', name: 'vector' });
    const agent = await service.keys.create({ kind: 'agent', name: 'vectors', budget: { perCall: '1', perDay: '100' } });
    const bindings: Bindings = new Map<string, unknown>(
      Object.entries({ actions: fixtureRegistrations, string: 'text', number: 10, instance: 'vector-instance' }),
    );
    for (const id of ['register', 'drain', 'beat', 'again', 'late']) bindings.set(id, `t-${id}`);
    const connect = async () => {
      const headers = { authorization: `Bearer ${toolkit.key}` };
      const socket = new WebSocket(`${service.url.replace('http', 'ws')}/v1/toolkit`, { headers });
      const frames = new Frames(socket);
      await once(socket, 'open');
      return frames;
    };
    let frames = await connect();
    let answer: Promise<unknown> = Promise.resolve();
    for (const step of steps) {
      if (step.do === 'register') {
        frames.send({ jsonrpc: '2.0', id: 0, method: 'register', params: { ...registration, unfinished: [] } });
        expectMatch(await frames.next(), { id: 0, result: { rejected: [] } }, bindings);
      } else if (step.do === 'cut') {
        frames.socket.terminate();
        await once(frames.socket, 'close');
        frames = await connect();
      } else if (step.do === 'ask to reconnect') hub().askToReconnect(100);
      else if (step.do === 'move') {
        const former = frames;
        frames = await connect();
        former.socket.close(1000);
      } else if (step.toolkit) frames.send(fillIn(step.toolkit, bindings));
      else if (step.service) expectMatch(await frames.next(), step.service, bindings);
      else if (step.agentGets) expectMatch(await answer, step.agentGets, bindings);
      else if (step.close) frames.socket.close(step.close);
      else if (step.agent) {
        const headers = {
          authorization: `Bearer ${agent.key}`,
          'content-type': 'application/json',
          'svc-timeout-ms': String(step.timeoutMs ?? 10_000),
          ...(step.idempotencyKey && { 'idempotency-key': step.idempotencyKey }),
        };
        answer = fetch(`${service.url}/v1/invoke`, { method: 'POST', headers, body: JSON.stringify(step.agent) }).then((response) =>
          response.json(),
        );
      }
    }
  });
});

describe('Toolkit plays its part', () => {
  test.each(transcripts.filter(({ only }) => only !== 'service'))('$name', async ({ steps }) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/v1/toolkit' });
    onTestFinished(() => server.close());
    await once(server, 'listening');
    const toolkit = new Toolkit({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'svc_toolkit_vectors' });
    await toolkit.updateToolkit(fixture.toolkit);
    const { openGate } = defineFixture(toolkit);
    // The transcripts end where they end: a toolkit that is stopped then finds nobody to say good-bye to.
    onTestFinished(() => void toolkit.stop({ timeoutMs: 1 }));
    const bindings: Bindings = new Map<string, unknown>([['actions', fixtureRegistrations]]);
    const sockets: Frames[] = [];
    server.on('connection', (webSocket) => sockets.push(new Frames(webSocket)));
    const connected = () => vi.waitFor(() => sockets.shift() ?? expect.fail('no socket came'), { timeout: 5_000, interval: 5 });
    const running = toolkit.run();
    running.catch(() => {});
    let socket = await connected();
    for (const step of steps) {
      if (step.do === 'register') {
        const register = (await socket.next()) as { id: unknown; params: unknown };
        expectMatch(register.params, { protocol: 1, instance: '$instance', actions: '$actions', unfinished: [] }, bindings);
        const accepted = fixture.actions.map(({ action }) => `vector__${action}`);
        socket.send({
          jsonrpc: '2.0',
          id: register.id,
          result: { protocol: 1, toolkit: { id: 'vector', ...fixture.toolkit }, accepted, rejected: [], awaiting: [], heartbeatMs: 10_000 },
        });
      } else if (step.do === 'cut') {
        socket.socket.terminate();
        socket = await connected();
      } else if (step.do === 'move') {
        const former = socket;
        socket = await connected();
        await vi.waitFor(() => expect(former.closed).toBe(1000));
      } else if (step.do === 'open the gate') openGate();
      else if (step.do === 'stop') void toolkit.stop();
      else if (step.toolkit && !step.optional) expectMatch(await socket.next(), step.toolkit, bindings);
      else if (step.service && !step.optional) socket.send(fillIn(concrete(step.service), bindings));
      else if (step.close) {
        await answerUntilClosed(socket);
        expect(socket.closed).toBe(step.close);
        await running;
      }
    }
  });
});

/** A service frame of the transcript with values where it has patterns. */
function concrete(frame: object): unknown {
  const values: Bindings = new Map<string, unknown>(
    Object.entries({ number: 10_000, string: 'text', invocation: 'inv_vector', agent: 'key_vector' }),
  );
  return fillIn(frame, values);
}

/** Before it closes a toolkit may ask whether everything has arrived. */
async function answerUntilClosed(socket: Frames): Promise<void> {
  while (socket.closed === undefined) {
    const next = await Promise.race([socket.next(), once(socket.socket, 'close').then(() => undefined)]).catch(() => undefined);
    if (next) socket.send({ jsonrpc: '2.0', id: (next as { id: unknown }).id, result: {} });
  }
}
