/**
 * Discord's gateway: sessions store their events, and send missed events to a resumed connection.
 *
 * Source: https://discord.com/developers/docs/events/gateway
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FakeFault } from '../fake-platform';
import type { Faults } from '../faults';

interface GatewayEvent {
  op: 0;
  t: string;
  s: number;
  d: unknown;
}

interface Session {
  id: string;
  events: GatewayEvent[];
  sequence: number;
  connection: Connection | undefined;
}

interface Connection {
  socket: WebSocket;
  isSilent: boolean;
}

interface Frame {
  op: number;
  d: { token?: string; intents?: number; session_id?: string; seq?: number } | number | null;
}

const ENDS_SESSION = [1000, 1001];

export class FakeGateway {
  /** See `FakeDiscord.gatewayLog`. */
  readonly log: string[] = [];
  heartbeats = 0;
  readonly #options: { http: Server; faults: Faults; token: string; user: object; heartbeatMs: number; origin: string };
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #hanging = new Set<Duplex>();
  #sessions: Session[] = [];
  #nextSession = 1;

  constructor(options: { http: Server; faults: Faults; token: string; user: object; heartbeatMs: number; origin: string }) {
    this.#options = options;
    options.http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get url(): string {
    return `${this.#options.origin.replace('http', 'ws')}/gateway`;
  }

  /** Sends the event to every session, including sessions without a connection. */
  dispatch(type: string, data: unknown): void {
    for (const session of this.#sessions) this.#send(session, type, data);
  }

  /** Applies faults of the gateway to open connections at once. */
  applyFaults(): void {
    for (const { connection } of [...this.#sessions]) if (connection) this.#applyFault(connection);
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    for (const socket of this.#hanging) socket.destroy();
    this.#sockets.close();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const fault = this.#options.faults.takeForRequest(pathname);
    if (fault?.hangMs !== undefined) return this.#hang(socket, fault.hangMs);
    if (fault?.status !== undefined) return void socket.end(`HTTP/1.1 ${fault.status} Refused\r\nconnection: close\r\n\r\n`);
    if (fault?.cut) return void socket.destroy();
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#serve(webSocket));
  }

  #hang(socket: Duplex, ms: number): void {
    this.log.push('hangs');
    const timer = setTimeout(() => socket.destroy(), ms);
    this.#hanging.add(socket);
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(timer);
      this.#hanging.delete(socket);
      this.log.push('hung up');
    });
    // A socket that is not read would not report its end.
    socket.resume();
  }

  #serve(socket: WebSocket): void {
    const connection: Connection = { socket, isSilent: false };
    socket.on('error', () => {});
    socket.on('message', (data) => this.#receive(connection, JSON.parse(String(data)) as Frame));
    socket.on('close', (code) => {
      this.log.push(`left ${code}`);
      if (ENDS_SESSION.includes(code)) this.#end(connection);
      for (const session of this.#sessions) if (session.connection === connection) session.connection = undefined;
    });
    write(socket, { op: 10, d: { heartbeat_interval: this.#options.heartbeatMs } });
  }

  #receive(connection: Connection, { op, d }: Frame): void {
    const { socket } = connection;
    if (op === 1) return this.#acknowledge(connection);
    if ((op !== 2 && op !== 6) || typeof d !== 'object' || d === null) return;
    this.log.push(op === 2 ? `identify ${d.intents}` : `resume ${d.seq}`);
    if (d.token !== this.#options.token) return socket.close(4004);
    const refusal = this.#options.faults.take(({ close }) => close !== undefined)?.close;
    if (refusal !== undefined) return close(socket, refusal);
    if (op === 2) this.#identify(connection);
    else this.#resume(connection, d.session_id ?? '', d.seq ?? 0);
    this.#applyFault(connection);
  }

  #acknowledge({ socket, isSilent }: Connection): void {
    this.heartbeats += 1;
    if (!isSilent) write(socket, { op: 11 });
  }

  #identify(connection: Connection): void {
    const session: Session = { id: `session-${this.#nextSession++}`, events: [], sequence: 0, connection };
    this.#sessions.push(session);
    const { user } = this.#options;
    this.#send(session, 'READY', { v: 10, user, guilds: [], session_id: session.id, resume_gateway_url: `${this.url}/resume` });
  }

  #resume(connection: Connection, id: string, sequence: number): void {
    const session = this.#sessions.find((candidate) => candidate.id === id);
    if (!session) return write(connection.socket, { op: 9, d: false });
    if (sequence > session.sequence) return connection.socket.close(4007);
    session.connection?.socket.terminate();
    session.connection = connection;
    for (const event of session.events) if (event.s > sequence) write(connection.socket, event);
    this.#send(session, 'RESUMED', {});
  }

  #send(session: Session, type: string, data: unknown): void {
    session.sequence += 1;
    const event: GatewayEvent = { op: 0, t: type, s: session.sequence, d: data };
    session.events.push(event);
    if (session.connection) write(session.connection.socket, event);
  }

  #applyFault(connection: Connection): void {
    const fault = this.#options.faults.take(isOfGateway);
    if (!fault) return;
    const { socket } = connection;
    if (fault.silent) connection.isSilent = true;
    // `done` keeps the session resumable.
    if ((fault.op === 9 && !fault.done) || fault.close === 4009) this.#end(connection);
    if (fault.op !== undefined) write(socket, { op: fault.op, d: fault.op === 9 ? fault.done === true : null });
    if (fault.close !== undefined) close(socket, fault.close);
  }

  #end(connection: Connection): void {
    this.#sessions = this.#sessions.filter((session) => session.connection !== connection);
  }
}

function isOfGateway({ close, op, silent }: FakeFault): boolean {
  return close !== undefined || op !== undefined || silent !== undefined;
}

function write(socket: WebSocket, frame: object): void {
  socket.send(JSON.stringify(frame));
}

/** Code 1006 means that a connection ends without a close frame. */
function close(socket: WebSocket, code: number): void {
  if (code === 1006) socket.terminate();
  else socket.close(code);
}
