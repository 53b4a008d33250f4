/**
 * A TCP proxy between two parts that injects faults. `pass` lets bytes through, `hold` none in either direction while the sockets stay
 * open (a partition, as the two ends see it), `refuse` resets open and new connections; `cut` resets once.
 *
 * Shape:  each connection goes to the next of the targets in turn, and to the one after it when that one refuses.
 * Errors: none: what cannot be connected is reset.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type Mode = 'pass' | 'hold' | 'refuse';

export class FaultProxy {
  readonly #targets: () => readonly number[];
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #mode: Mode = 'pass';
  #turn: number;

  private constructor(targets: () => readonly number[], firstTurn: number) {
    this.#targets = targets;
    this.#turn = firstTurn;
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => this.#accept(client));
  }

  /**
   * Opens a proxy on a free port.
   *
   * @param targets returns ports on 127.0.0.1; called for every connection
   * @param firstTurn index of the target of the first connection
   */
  static async open(targets: () => readonly number[], firstTurn = 0): Promise<FaultProxy> {
    const proxy = new FaultProxy(targets, firstTurn);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  pass(): void {
    this.#mode = 'pass';
    for (const pair of this.#pairs) pair.release();
  }

  hold(): void {
    this.#mode = 'hold';
    for (const pair of this.#pairs) pair.hold();
  }

  refuse(): void {
    this.#mode = 'refuse';
    this.cut();
  }

  cut(): void {
    for (const pair of this.#pairs) pair.reset();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #accept(client: Socket): void {
    if (this.#mode === 'refuse') {
      client.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const pair = new Pair(client, () => this.#pairs.delete(pair));
    this.#pairs.add(pair);
    if (this.#mode === 'hold') pair.hold();
    const targets = this.#targets();
    const turn = this.#turn++ % Math.max(1, targets.length);
    void pair.connect([...targets.slice(turn), ...targets.slice(0, turn)]);
  }
}

class Pair {
  readonly #client: Socket;
  #upstream: Socket | undefined;
  readonly #onClosed: () => void;
  #held = false;
  /** Events of one side that are withheld from the other. */
  #missed: (() => void)[] = [];

  /** @param onClosed called when both sides are closed. When one side closes while the pair is held, the other ends with the release. */
  constructor(client: Socket, onClosed: () => void) {
    this.#client = client;
    this.#onClosed = onClosed;
    client.on('error', () => undefined);
    client.once('close', () => this.#closed());
  }

  async connect(ports: readonly number[]): Promise<void> {
    for (const port of ports) {
      const upstream = await connectTo(port);
      if (!upstream) continue;
      if (this.#client.destroyed) upstream.resetAndDestroy();
      else this.#join(upstream);
      return;
    }
    this.#tell(() => this.reset());
  }

  hold(): void {
    this.#held = true;
    this.#client.pause();
    this.#upstream?.pause();
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    for (const tell of this.#missed.splice(0)) tell();
    if (this.#upstream) this.#client.resume();
    this.#upstream?.resume();
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#upstream?.resetAndDestroy();
  }

  #closed(): void {
    if (this.#client.destroyed && this.#upstream?.destroyed !== false) this.#onClosed();
  }

  #join(upstream: Socket): void {
    this.#upstream = upstream;
    upstream.once('close', () => this.#closed());
    this.#pass(this.#client, upstream);
    this.#pass(upstream, this.#client);
    if (this.#held) this.hold();
  }

  #pass(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (to.write(chunk)) return;
      from.pause();
      to.once('drain', () => {
        if (!this.#held) from.resume();
      });
    });
    from.on('end', () => to.end());
    from.on('error', () => this.#tell(() => to.resetAndDestroy()));
    from.on('close', () => this.#tell(() => to.destroySoon()));
    from.resume();
  }

  #tell(what: () => void): void {
    if (this.#held) this.#missed.push(what);
    else what();
  }
}

/** Undefined when the port refuses. */
function connectTo(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.pause();
      resolve(socket);
    });
    socket.on('error', () => resolve(undefined));
  });
}
