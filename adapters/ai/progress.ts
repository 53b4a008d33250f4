import type { Progress } from 'svc-sdk';

/** Yields each report of progress, then the result: the AI SDK takes them for preliminary outputs and the final one. */
export async function* withProgress(call: (onProgress: (progress: Progress) => void) => Promise<unknown>): AsyncGenerator<unknown> {
  const reports: Progress[] = [];
  let wake = () => {};
  let running = true;
  const result = call((progress) => {
    reports.push(progress);
    wake();
  }).finally(() => {
    running = false;
    wake();
  });
  result.catch(() => {}); // Awaited below, after the last report.
  while (running || reports.length > 0) {
    const progress = reports.shift();
    if (progress) yield { progress };
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield await result;
}
