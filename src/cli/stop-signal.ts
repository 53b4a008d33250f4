const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves at Ctrl-C or a stop from outside; a second signal ends the process at once. Call it before the work begins: a signal that comes
 * while something starts is then kept for when it has.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      for (const signal of SIGNALS) process.once(signal, () => process.exit(1));
      resolve();
    };
    for (const signal of SIGNALS) process.once(signal, onSignal);
  });
}
