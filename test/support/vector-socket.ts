/** The steps of test/vectors/toolkit-socket.json, and one socket with both of its players. */
import type { ToolkitDetails } from 'svc-sdk';
import { vi } from 'vitest';
import type { RawData, WebSocket } from 'ws';
import { type Fixture, vector } from './vectors';

export interface Step {
  /** A string is sent unchanged. */
  toolkit?: object | string;
  service?: object | string;
  /** Members of the frame that must not be there. */
  absent?: string[];
  /** The number of the socket, from 1. Default: the newest. */
  socket?: number;
  upgrade?: { path: string; headers: Record<string, string | null> };
  refused?: { status: number; body?: unknown };
  /** Sockets that are still open at the upgrade request. */
  open?: number[];
  close?: number;
  serviceCloses?: { code: number; reason?: string };
  /** The outcome of `run()`: null, or an error. */
  ends?: object | null;
  agent?: object;
  timeoutMs?: number;
  idempotencyKey?: string;
  /** Further headers of the agent's call. */
  headers?: Record<string, string>;
  agentGets?: object;
  /** A part of the answer's bytes. */
  agentGetsText?: string;
  do?:
    | 'register'
    | 'cut'
    | 'ask to reconnect'
    | 'move'
    | 'open the gate'
    | 'stop'
    | 'update'
    | 'revoke the key'
    | 'take the list'
    | 'remove an action';
  /** The actions of the list to take. */
  size?: number;
  /** Refuses the parts of the list. */
  error?: object;
  /** The name of the action to remove. */
  action?: string;
  /** The answer to `register` has it. */
  heartbeatMs?: number;
  /** The new words of `update`. */
  details?: ToolkitDetails;
  /** The side that is tested may leave it out. */
  optional?: boolean;
}

export interface Transcript {
  name: string;
  only?: 'toolkit' | 'service';
  /** The toolkit has these options. */
  options?: { concurrency?: number };
  /** Actions `more_0`, `more_1`, … beside those of the fixture. */
  more?: number;
  /** Actions of the fixture that take long. */
  long?: string[];
  steps: Step[];
}

export const transcripts = vector<Transcript[]>('toolkit-socket');
export const connectionTranscripts = vector<Fixture & { transcripts: Transcript[] }>('toolkit-connections');

/** The timeout of a player for each step. */
export const PATIENCE = { timeout: 30_000, interval: 5 };

/** The frames of one socket, in order. */
export class Frames {
  readonly socket: WebSocket;
  readonly #frames: unknown[] = [];
  closed: { code: number; reason: string } | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: RawData) => this.#frames.push(JSON.parse(String(data))));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  /** Those that no step has taken. */
  get left(): readonly unknown[] {
    return this.#frames;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The next frame, if it is there and passes the test. */
  takeIf(test: (frame: unknown) => boolean): unknown {
    return this.#frames.length > 0 && test(this.#frames[0]) ? this.#frames.shift() : undefined;
  }

  next(): Promise<unknown> {
    return vi.waitFor(
      () => this.#frames.shift() ?? fail(`no frame came${this.closed ? `, closed with ${this.closed.code}` : ''}`),
      PATIENCE,
    );
  }

  ended(): Promise<{ code: number; reason: string }> {
    return vi.waitFor(() => this.closed ?? fail('still open'), PATIENCE);
  }
}

export function fail(message: string): never {
  throw new Error(message);
}
