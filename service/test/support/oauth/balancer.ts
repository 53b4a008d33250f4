/** A load balancer that remembers no client: each request reaches the next node. */
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { listening } from '../../../../test/support/listening';

export interface Balancer {
  url: string;
  /** The nodes' URLs, which may be added later. */
  nodes: string[];
}

export async function startBalancer(): Promise<Balancer> {
  const nodes: string[] = [];
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const node = nodes[turn++ % nodes.length];
    const headers: IncomingHttpHeaders = incoming.headers;
    const onward = request(new URL(incoming.url ?? '/', node), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  return { url: await listening(server), nodes };
}
