/** Runs until Ctrl-C or a stop from outside, then closes in order; a second signal ends the process at once. */
export async function untilStopped(close: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    const onSignal = () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  });
  await close();
}
