/**
 * A grace period for a peer to reconnect. A timer that fires late starts the period again: this process was suspended or busy, and frames
 * of the peer may wait in its sockets.
 *
 * Units: milliseconds.
 */
const LATE_MS = 1_000;

/** Returns the function that ends the period without calling `onEnd`. */
export function startGracePeriod(ms: number, onEnd: () => void): () => void {
  let timer: NodeJS.Timeout;
  const start = () => {
    const endsAt = performance.now() + ms;
    timer = setTimeout(() => (performance.now() - endsAt > LATE_MS ? start() : onEnd()), ms);
  };
  start();
  return () => clearTimeout(timer);
}
