/**
 * Gathers the socket writes of one event-loop turn into one system call. `setImmediate` and not `nextTick`: it comes after all input of the
 * turn has been handled, where a tick ends with each single callback.
 */
import type { Duplex } from 'node:stream';

/** More than this is not held back: with large frames the other side would stand idle until the whole turn is done. */
const MAX_HELD_BYTES = 64 * 1024;

/** Call the returned function before every write. */
export function corkPerTurn(socket: Duplex): () => void {
  let corked = false;
  return () => {
    if (corked) {
      if (socket.writableLength > MAX_HELD_BYTES) {
        socket.uncork();
        socket.cork();
      }
      return;
    }
    corked = true;
    socket.cork();
    setImmediate(() => {
      corked = false;
      socket.uncork();
    });
  };
}
