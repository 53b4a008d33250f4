/** Confirms results by heartbeats: the answer to a heartbeat confirms all results that were sent before it, which are then released. */
import { METHODS } from '../protocol/frames';
import { Heartbeat } from './heartbeat';
import type { Invocations } from './invocations';
import type { ServiceConnection } from './service-connection';

/** Time from a result to the heartbeat that confirms it. */
const CONFIRM_MS = 500;

export class Confirmations {
  readonly #invocations: Invocations;
  #heartbeat: Heartbeat | undefined;

  constructor(invocations: Invocations) {
    this.#invocations = invocations;
  }

  start(connection: ServiceConnection | undefined, heartbeatMs: number): void {
    this.#heartbeat = new Heartbeat(heartbeatMs, {
      beat: (answered) => this.#beat(connection, answered),
      lost: () => connection?.cutOff(`no answer to a heartbeat within ${heartbeatMs} ms`),
    });
  }

  stop(): void {
    this.#heartbeat?.stop();
    this.#heartbeat = undefined;
  }

  now(): void {
    this.#heartbeat?.now();
  }

  invocationsChanged(): void {
    const { unconfirmed, muchUnconfirmed } = this.#invocations;
    if (muchUnconfirmed) this.#heartbeat?.now();
    else if (unconfirmed) this.#heartbeat?.within(CONFIRM_MS);
  }

  #beat(connection: ServiceConnection | undefined, answered: () => void): void {
    const sent = this.#invocations.takeSent();
    connection?.request(METHODS.heartbeat, '{}', (answer) => {
      if (answer.kind === 'lost') return;
      answered();
      this.#invocations.confirm(sent);
    });
  }
}
