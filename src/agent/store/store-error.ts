/** The agent's file cannot be read or written. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** True if a retry may succeed soon: the file is locked, the disk is full or failed. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass = false, ...options }: ErrorOptions & { mayPass?: boolean } = {}) {
    super(message, options);
    this.mayPass = mayPass;
  }
}

/** Remedies by SQLite's primary result code, https://www.sqlite.org/rescode.html. */
const REMEDIES: Record<number, string> = {
  5: 'another process has locked it; stop that process',
  8: 'it is read-only; give this user the right to write it and to make files beside it',
  10: 'the disk failed; look at the messages of the system',
  11: 'it is damaged; restore it from a backup, or name a new file',
  13: 'the disk is full; make room',
  14: 'it cannot be opened; create its folder, and give this user the right to write there',
  26: 'it is not a SQLite database; name another file',
};
const PASSING = new Set([5, 6, 10, 13]);

/** Returns other errors than SQLite's unchanged. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  if (code === undefined || code === SQLITE_CONSTRAINT) return error;
  const remedy = REMEDIES[code] ?? (error as Error).message;
  return new StoreError(`The agent's store ${path} cannot be used: ${remedy}`, { cause: error, mayPass: PASSING.has(code) });
}

const SQLITE_CONSTRAINT = 19;

export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_CONSTRAINT;
}

const TRY_AGAIN_MS = 100;
const GIVE_UP_MS = 5_000;

/**
 * Retries for five seconds while the file is locked or the disk full. Then the agent ends, since an agent whose store fails must not act.
 *
 * @throws StoreError
 */
export async function patiently<T>(work: () => T): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError && error.mayPass) || performance.now() >= giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}
