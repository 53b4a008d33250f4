/** The other end of the floor: parses the call, hands its payload to a handler that echoes, serialises the result. */
import { WebSocket } from 'ws';
import { corkPerTurn } from './cork.ts';

const socket = new WebSocket(`${process.argv[2]}`.replace('http', 'ws'), { perMessageDeflate: false });
const echo = async (payload: unknown) => payload;

socket.on('upgrade', ({ socket: connection }) => {
  const cork = corkPerTurn(connection);
  socket.on('message', async (data) => {
    const frame = String(data);
    const border = frame.indexOf(' ');
    const result = await echo(JSON.parse(frame.slice(border + 1)).payload);
    cork();
    socket.send(`${frame.slice(0, border)} ${JSON.stringify(result)}`);
  });
});
socket.on('open', () => console.log('ready'));
socket.on('close', () => process.exit());
