/** The least that can hold toolkit sockets: `ws` on `node:http`, every request answered with what a registration needs, and nothing kept. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const heartbeatMs = Number(process.argv[2]);
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const server = createServer();

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (toolkit) => {
    toolkit.on('message', (data) => {
      const { id } = JSON.parse(String(data));
      toolkit.send(JSON.stringify({ jsonrpc: '2.0', id, result: { heartbeatMs } }));
    });
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('SIGTERM', () => process.exit());
