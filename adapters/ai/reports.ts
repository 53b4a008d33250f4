import type { CallPayment, Progress } from 'svc-sdk';

type Report = { progress: Progress } | { payment: CallPayment };

/** Yields each report of a call, then its result: the AI SDK takes them for preliminary outputs and the final one. */
export async function* withReports(call: (report: (report: Report) => void) => Promise<unknown>): AsyncGenerator<unknown> {
  const reports: Report[] = [];
  let wake = () => {};
  let running = true;
  const result = call((report) => {
    reports.push(report);
    wake();
  }).finally(() => {
    running = false;
    wake();
  });
  result.catch(() => {}); // Awaited below, after the last report.
  while (running || reports.length > 0) {
    const report = reports.shift();
    if (report) yield report;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield await result;
}
