/**
 * One connection to Discord's gateway: resumes or opens a session, sends heartbeats, and passes on the events.
 *
 * Units:  milliseconds.
 * Errors: none; `ended` reports how the connection ended. A frame that is not JSON ends the connection.
 * Source: https://discord.com/developers/docs/events/gateway, version 10.
 */
import type { GatewayDispatchPayload, GatewayReceivePayload, GatewaySendPayload } from 'discord-api-types/v10';
import type { RawData, WebSocket } from 'ws';
import type { GatewaySession } from './gateway-session';

/** Guild messages (1 << 9) and direct messages (1 << 12): no privileged intent. Discord then leaves out the text of messages to others. */
const INTENTS = (1 << 9) | (1 << 12);
/** Codes 1000 and 1001 would end the session. */
const LEAVE_CODE = 4200;
/** Timeout of the handshake, and of each frame until the session is open. */
const SILENCE_MS = 20_000;
const LEAVE_MS = 1_000;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Operation codes. The enums of `discord-api-types` cannot be used: the package is a dependency for types only. */
const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalidSession: 9, hello: 10, heartbeatAck: 11 } as const;

export interface ConnectionEnd {
  code: number;
  /** Undefined if Discord ended the session. */
  session: GatewaySession | undefined;
  /** The wait that Discord requires. */
  waitMs?: number;
}

interface ConnectionOptions {
  WebSocket: typeof WebSocket;
  url: string;
  botToken: string;
  session: GatewaySession | undefined;
  /** `session` includes the event. */
  onEvent(event: GatewayDispatchPayload, session: GatewaySession): void;
  /** Discord answered a heartbeat. */
  onAlive(): void;
}

export class GatewayConnection {
  readonly ended: Promise<ConnectionEnd>;
  readonly #options: ConnectionOptions;
  readonly #socket: WebSocket;
  #session: GatewaySession | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;
  #isAcknowledged = true;
  #isEstablished = false;
  #waitMs: number | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#session = options.session;
    const url = new URL(options.url);
    url.search = '?v=10&encoding=json';
    this.#socket = new options.WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
    this.#terminateAfter(SILENCE_MS);
    // A close event follows each error.
    this.#socket.on('error', () => {});
    this.#socket.on('message', (data) => this.#receive(data));
    this.ended = new Promise((resolve) => {
      this.#socket.once('close', (code) => {
        clearTimeout(this.#deadline);
        clearTimeout(this.#beat);
        resolve({ code, session: this.#session, ...(this.#waitMs !== undefined && { waitMs: this.#waitMs }) });
      });
    });
  }

  /** Closes the connection. Discord keeps the session for a while. */
  leave(): void {
    clearTimeout(this.#beat);
    this.#isEstablished = true;
    this.#socket.close(LEAVE_CODE);
    this.#terminateAfter(LEAVE_MS);
  }

  #receive(data: RawData): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (!this.#isEstablished) this.#terminateAfter(SILENCE_MS);
    let frame: GatewayReceivePayload;
    try {
      frame = JSON.parse(String(data));
    } catch {
      return this.#socket.terminate();
    }
    switch (frame.op) {
      case OP.dispatch:
        return this.#dispatch(frame);
      case OP.heartbeat:
        return this.#sendHeartbeat();
      case OP.heartbeatAck:
        this.#isAcknowledged = true;
        return this.#options.onAlive();
      case OP.hello:
        this.#authenticate();
        return this.#beatEvery(frame.d.heartbeat_interval);
      case OP.reconnect:
        return this.leave();
      case OP.invalidSession:
        if (!frame.d) this.#session = undefined;
        // Discord requires a random wait of 1 to 5 seconds.
        this.#waitMs = 1_000 + Math.random() * 4_000;
        return this.leave();
    }
  }

  #authenticate(): void {
    const { botToken: token } = this.#options;
    if (this.#session) {
      const { session, sequence } = this.#session;
      return this.#send({ op: OP.resume, d: { token, session_id: session, seq: sequence } });
    }
    const properties = { os: process.platform, browser: 'svc-sdk', device: 'svc-sdk' };
    this.#send({ op: OP.identify, d: { token, intents: INTENTS, properties } });
  }

  #dispatch(event: GatewayDispatchPayload): void {
    if (event.t === 'READY') {
      this.#session = { session: event.d.session_id, sequence: event.s, resumeUrl: event.d.resume_gateway_url };
    } else if (this.#session) {
      this.#session = { ...this.#session, sequence: event.s };
    }
    if (!this.#session) return;
    if (event.t === 'READY' || event.t === 'RESUMED') {
      this.#isEstablished = true;
      clearTimeout(this.#deadline);
    }
    this.#options.onEvent(event, this.#session);
  }

  /** The first heartbeat has a random delay, so that bots do not send heartbeats together after an outage. */
  #beatEvery(intervalMs: number): void {
    const beat = () => {
      // A connection without acknowledgements is dead and would not answer a close frame either.
      if (!this.#isAcknowledged) return this.#socket.terminate();
      this.#isAcknowledged = false;
      this.#sendHeartbeat();
      this.#beat = setTimeout(beat, intervalMs);
    };
    clearTimeout(this.#beat);
    this.#beat = setTimeout(beat, Math.random() * intervalMs);
  }

  #sendHeartbeat(): void {
    this.#send({ op: OP.heartbeat, d: this.#session?.sequence ?? null });
  }

  #send(payload: GatewaySendPayload): void {
    this.#socket.send(JSON.stringify(payload));
  }

  #terminateAfter(ms: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#socket.terminate(), ms);
  }
}
