/**
 * Sockets that close with a reason which their peer has not read yet. Each keeps its unfinished frame in memory until then, so there are few: one
 * more cuts off the first.
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
