/** Bytes over a TCP connection to a server of this process, chunk by chunk as the server reads them. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * Sends each chunk (Latin-1) when the server has read the one before it, then the end of the stream, and resolves with all that came back when the
 * connection is closed.
 */
export async function exchangeBytes(server: Server, chunks: readonly string[]): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const received: Buffer[] = [];
  client.on('data', (chunk) => received.push(chunk));
  // A server that refuses the bytes may reset the connection.
  client.on('error', () => {});
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.on('end', () => client.end());
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  await once(client, 'connect');
  const [peer] = await accepted;
  let sent = 0;
  for (const chunk of chunks) {
    if (client.destroyed) break;
    client.write(chunk, 'latin1');
    sent += chunk.length;
    while (peer.bytesRead < sent && !peer.destroyed) await turn();
  }
  client.end();
  await closed;
  return Buffer.concat(received).toString('latin1');
}
