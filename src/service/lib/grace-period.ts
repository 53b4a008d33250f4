/**
 * A period for a peer to come back in. A period that ends late begins again: this process was frozen or busy, and the peer's frames may wait
 * in its sockets.
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
