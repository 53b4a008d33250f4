/**
 * One connection to Discord's gateway: resumes a session or opens a new one, sends heartbeats, and hands on the events.
 *
 * Units:  milliseconds.
 * Errors: none; `ended` says how the connection ended. Frames that are not JSON end it.
 * Source: https://discord.com/developers/docs/events/gateway, version 10.
 */
import type { GatewayDispatchPayload, GatewayReceivePayload, GatewaySendPayload } from 'discord-api-types/v10';
import type { RawData, WebSocket } from 'ws';
import type { GatewaySession } from './gateway-session';

/** Guild messages (1 << 9) and direct messages (1 << 12): no privileged intent. Discord then leaves out the text of messages to others. */
const INTENTS = (1 << 9) | (1 << 12);
/** Codes 1000 and 1001 would end the session. */
const LEAVE_CODE = 4200;
/** The limit for the handshake, and for each frame until the session is there. */
const SILENCE_MS = 20_000;
const LEAVE_MS = 1_000;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** The operations by number: the enums of `discord-api-types` are values, and the package is a type dependency alone. */
const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalidSession: 9, hello: 10, heartbeatAck: 11 } as const;

export interface ConnectionEnd {
  code: number;
  /** Undefined if Discord ended the session. */
  session: GatewaySession | undefined;
  /** How long Discord asks to wait. */
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

  /** Discord keeps the session for a while. */
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
        // Discord asks for a random wait of 1 to 5 seconds.
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

  /** The first heartbeat comes at a random time, so that all bots do not send theirs together after an outage. */
  #beatEvery(intervalMs: number): void {
    const beat = () => {
      // A connection without answers is dead on the way: no close frame would come back either.
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
