import type { AlertMessage } from './alert-message';

/** A way to send alerts. */
export interface AlertChannel {
  /** The most messages that are sent at once: they arrive together or not at all. */
  readonly atOnce: number;
  /** Rejects with an error whose message has no secret. */
  send(messages: readonly AlertMessage[]): Promise<void>;
}
