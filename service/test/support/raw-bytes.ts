/** Bytes to a service over a bare TCP connection, for what no HTTP client sends. */
import { connect } from 'node:net';

/**
 * Resolves with the received bytes, when the service closes the connection or is silent for `quietMs` after the last byte.
 *
 * @param text Latin-1
 */
export function sendBytes(service: { url: string }, text: string, quietMs = 1_000): Promise<string> {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
  let received = '';
  return new Promise((resolve) => {
    const done = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(quietMs, done);
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', done);
    // A service that refuses the bytes may reset the connection.
    socket.on('error', () => undefined);
    socket.write(text, 'latin1');
  });
}

/** Statuses of the answers in `text`, in order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
}
