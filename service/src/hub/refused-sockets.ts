/**
 * Closing sockets whose peer has not read the close reason yet. Each keeps its incomplete frame in memory, so their number is limited: the
 * next socket terminates the oldest.
 */
import type { WebSocket } from 'ws';

const MAX_SOCKETS = 8;

export class RefusedSockets {
  readonly #sockets = new Set<Pick<WebSocket, 'terminate'>>();

  add(socket: Pick<WebSocket, 'terminate' | 'once'>): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const [first] = this.#sockets;
    if (this.#sockets.size > MAX_SOCKETS) first?.terminate();
  }
}
