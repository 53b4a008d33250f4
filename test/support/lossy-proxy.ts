/** A proxy that answers some requests with a page of the proxy; everything else passes unchanged. */
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/**
 * The address of the proxy, in place of `target`.
 *
 * @param isLost true for a request that does not reach the target
 */
export async function startLossyProxy(target: string, isLost: (request: { url: string; body: string }) => boolean): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const body = await text(incoming);
    if (isLost({ url, body })) return outgoing.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here</p>');
    const onward = request(new URL(url, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    return onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
}
