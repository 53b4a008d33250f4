/** A plain load balancer: new connections go where it leads now, those that are open stay where they are. */
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TcpProxy {
  readonly url: string;
  /** So many were opened until now. */
  readonly connections: number;
  leadTo(port: number): void;
  /** The next request that contains the text arrives, and its connection brings no answer: the client was suspended. Resolves then. */
  silenceAt(text: string): Promise<void>;
  /** Ends all connections. */
  disconnect(): void;
}

export async function startTcpProxy(port: number): Promise<TcpProxy> {
  let target = port;
  let connections = 0;
  let awaited: { text: string; silenced: () => void } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    connections++;
    const outgoing = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
    }
    incoming.on('data', (chunk: Buffer) => {
      if (!awaited || !chunk.includes(awaited.text)) return;
      outgoing.unpipe(incoming).pause();
      awaited.silenced();
      awaited = undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    disconnect();
  });
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    get connections() {
      return connections;
    },
    leadTo: (next) => {
      target = next;
    },
    silenceAt: (text) =>
      new Promise((silenced) => {
        awaited = { text, silenced };
      }),
    disconnect,
  };
}
