/** A proxy that adds headers, for clients that cannot send any, and can hold a request up. Everything else passes unchanged, Host too. */
import { createServer, request } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * The address of the proxy, in place of `target`.
 *
 * @param before a request waits for it
 */
export async function startHeaderProxy(
  target: string,
  headers: Record<string, string>,
  before: (path: string) => Promise<unknown> = async () => {},
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, url } = incoming;
    await before(url ?? '/');
    const onward = request(new URL(url ?? '/', target), { method, headers: { ...incoming.headers, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
}
