import type { Toolkit, ToolkitStatus } from 'svc-sdk';

interface Details {
  name: string;
  description: string;
  /** Closes what the toolkit has opened. */
  onStop?: () => void;
}

/** Serves until the process gets a signal; running actions may end. Says one line when it is ready, and one when it cannot be. */
export async function serve(toolkit: Toolkit, { name, description, onStop }: Details): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void toolkit.stop());
  try {
    await toolkit.updateToolkit({ name, description });
    const announced = toolkit.ready.then(({ accepted }) => console.log(`${name} is ready with ${accepted.length} actions`));
    await Promise.all([toolkit.run(), announced]);
  } catch (error) {
    console.error(`${name} cannot be served: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    onStop?.();
  }
}

/** Handles `onStatus`: the toolkit reconnects by itself, but its operator wants to know why nothing happens. */
export function reportLoss(status: ToolkitStatus): void {
  if (status.state !== 'disconnected') return;
  console.error(`${status.reason.message}. Next try in ${Math.ceil(status.retryInMs / 1_000)} s`);
}
