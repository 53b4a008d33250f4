/** A real WebSocket server with the protocol for toolkits. Records received frames; each test sets the answers. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { Toolkit, type ToolkitOptions } from '../../../src/index';
import type { FrameError, RegisterParams, RegisterResult } from '../../../src/protocol/frames';

export const KEY = `svc_toolkit_${'k'.repeat(49)}`;

export interface Frame {
  id?: string | number;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read frames of every kind
  params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  result?: any;
  content?: unknown;
  error?: FrameError & { data?: { code: string; message: string; data?: unknown; retryable?: boolean; retryAfterMs?: number } };
}

/** Answers a request: a result, `{error}`, or undefined for silence. */
export type Respond = (params: Record<string, unknown>, socket: ServiceSocket) => unknown;

export class ServiceSocket {
  readonly webSocket: WebSocket;
  readonly frames: Frame[] = [];
  readonly request: IncomingMessage;
  closeCode: number | undefined;

  constructor(webSocket: WebSocket, request: IncomingMessage) {
    this.webSocket = webSocket;
    this.request = request;
    webSocket.on('close', (code) => {
      this.closeCode = code;
    });
  }

  send(frame: unknown): void {
    this.webSocket.send(JSON.stringify({ jsonrpc: '2.0', ...(frame as object) }));
  }

  invoke(id: string, action: string, payload?: unknown, timeoutMs = 10_000): void {
    this.send({ id, method: 'invoke', params: { action, payload, agentId: 'key_agent', timeoutMs } });
  }

  /** Sends an invoke and waits for its answer. */
  async call(id: string, action: string, payload?: unknown, timeoutMs?: number): Promise<Frame> {
    this.invoke(id, action, payload, timeoutMs);
    return this.frame((frame) => frame.id === id && frame.method === undefined);
  }

  cancel(invocationId: string, reason = 'cancelled'): void {
    this.send({ method: 'cancel', params: { invocationId, reason } });
  }

  frame(test: (frame: Frame) => boolean): Promise<Frame> {
    return until(() => this.frames.find(test));
  }

  of(method: string): Frame[] {
    return this.frames.filter((frame) => frame.method === method);
  }
}

export class WireService {
  readonly sockets: ServiceSocket[] = [];
  readonly respond: Record<string, Respond>;
  /** Set: upgrades are refused with it. */
  refuse: { status: number; body: string; contentType?: string } | undefined;
  /** Upgrades that were refused. */
  refused = 0;
  heartbeatMs = 15_000;
  /** Called with every frame before its answer. */
  onFrame: ((frame: Frame) => void) | undefined;
  #url = '';

  constructor() {
    this.respond = {
      register: (params) => this.registered(params as unknown as RegisterParams),
      update: (params) => ({ toolkit: { id: 'test', name: 'Test', description: '', ...params } }),
      drain: () => ({}),
      heartbeat: () => ({}),
      result: () => ({ accepted: true }),
    };
  }

  get url(): string {
    return this.#url;
  }

  registered(params: RegisterParams, changes: Partial<RegisterResult> = {}): RegisterResult {
    return {
      protocol: 1,
      toolkit: { id: 'test', name: 'Test', description: '' },
      accepted: (params.actions ?? []).map(({ action }) => `test__${action}`),
      rejected: [],
      awaiting: params.unfinished,
      heartbeatMs: this.heartbeatMs,
      ...changes,
    };
  }

  /** The n-th socket, once it has registered. */
  async registeredSocket(index = 0): Promise<ServiceSocket> {
    const socket = await until(() => this.sockets[index]);
    await socket.frame(({ method }) => method === 'register');
    return socket;
  }

  async start(): Promise<void> {
    const server = createServer();
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, stream: Duplex, head) => {
      if (this.refuse) {
        this.refused++;
        // The toolkit cuts the connection off when it has read the refusal.
        stream.on('error', () => {});
        const { status, body, contentType = 'application/problem+json' } = this.refuse;
        const length = Buffer.byteLength(body);
        stream.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n${body}`);
      } else sockets.handleUpgrade(request, stream, head, (webSocket) => this.#onSocket(new ServiceSocket(webSocket, request)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(() => {
      for (const { webSocket } of this.sockets) webSocket.terminate();
      server.close();
    });
  }

  #onSocket(socket: ServiceSocket): void {
    this.sockets.push(socket);
    socket.webSocket.on('message', (data) => {
      const frame = JSON.parse(data.toString()) as Frame;
      socket.frames.push(frame);
      this.onFrame?.(frame);
      if (frame.method === undefined || frame.id === undefined) return;
      const answer = this.respond[frame.method]?.(frame.params, socket);
      if (answer === undefined) return;
      const isError = typeof answer === 'object' && answer !== null && 'error' in answer;
      socket.send(isError ? { id: frame.id, ...answer } : { id: frame.id, result: answer });
    });
  }
}

export async function startService(): Promise<WireService> {
  const service = new WireService();
  await service.start();
  return service;
}

/** A Toolkit against the service, stopped when the test ends. */
export function newToolkit(service: WireService, options: ToolkitOptions = {}): Toolkit {
  const toolkit = new Toolkit({ apiKey: KEY, baseUrl: service.url, ...options });
  onTestFinished(() => toolkit.stop({ timeoutMs: 0 }));
  return toolkit;
}

/** Runs the toolkit and returns the service's end of its first connection. */
export async function running(service: WireService, toolkit: Toolkit): Promise<ServiceSocket> {
  toolkit.run().catch(() => {});
  await toolkit.ready;
  return service.registeredSocket();
}

export function until<Value>(look: () => Value | undefined): Promise<Value> {
  return vi.waitFor(
    () => {
      const value = look();
      if (value === undefined || value === false) throw new Error('The condition did not come true');
      return value;
    },
    { interval: 2, timeout: 5_000 },
  );
}

/** A promise and its resolve function: a handler that the test ends. */
export function gate<Value = void>(): { open: (value: Value) => void; opened: Promise<Value> } {
  let open!: (value: Value) => void;
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
