/**
 * Reads `GET /v1/events` while the page is visible, and reconnects when the stream ends.
 *
 * A hidden page closes its connection: over HTTP/1.1 browsers have six per host, and a seventh window would wait forever.
 */
import { ADMIN_PATHS, type ChangeEvent } from '#sdk/protocol/admin';

export interface ChangeListener {
  onChange(changed: ChangeEvent['changed']): void;
  /** The stream is open again; changes in between were not reported. */
  onBack(): void;
  /** The service does not answer, or has refused the stream. */
  onLost(): void;
}

/** Wait before a retry after a refusal: browsers retry only without an answer. */
const REOPEN_MS = 5_000;

/** @returns a function that closes the stream */
export function followChanges({ onChange, onBack, onLost }: ChangeListener): () => void {
  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;
  let errors = 0;

  const close = () => {
    clearTimeout(reopening);
    source?.close();
  };
  const open = () => {
    const events = new EventSource(ADMIN_PATHS.events);
    source = events;
    events.addEventListener('change', ({ data }: MessageEvent<string>) => onChange((JSON.parse(data) as ChangeEvent).changed));
    events.addEventListener('open', () => {
      errors = 0;
      if (wasOpen) onBack();
      wasOpen = true;
    });
    events.addEventListener('error', () => {
      const isRefused = events.readyState === EventSource.CLOSED;
      errors += 1;
      // Proxies end long streams, so the first error may be harmless.
      if (isRefused || errors > 1) onLost();
      if (isRefused) reopening = setTimeout(open, REOPEN_MS);
    });
  };
  const update = () => {
    close();
    if (document.visibilityState === 'visible') open();
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    close();
  };
}
