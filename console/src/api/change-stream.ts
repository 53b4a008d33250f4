/**
 * `GET /v1/events` for as long as somebody looks at the page, opened again after whatever ended it.
 *
 * A page that nobody sees gives its connection back: browsers have six for each host over HTTP/1.1, and the seventh window would wait for ever.
 */
import { ADMIN_PATHS, type ChangeEvent } from '../../../src/protocol/admin';

export interface ChangeListener {
  onChange(changed: ChangeEvent['changed']): void;
  /** It is open again; nobody told what happened meanwhile. */
  onBack(): void;
  /** The service does not answer, or refused. */
  onLost(): void;
}

/** For what the service refused: browsers try again by themselves only where there was no answer. */
const REOPEN_MS = 5_000;

/** Until the function that it returns is called. */
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
      // Proxies end streams that last long: the first error may be no more than that.
      if (isRefused || errors > 1) onLost();
      if (isRefused) reopening = setTimeout(open, REOPEN_MS);
    });
  };
  const look = () => {
    close();
    if (document.visibilityState === 'visible') open();
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    close();
  };
}
