/** The reports of a call as the items of a generator, for frameworks whose tools are generators. */
import type { CallPayment, Progress } from 'svc-sdk';
import type { AgentCallOptions } from './agent-tool';

export type CallReport = { progress: Progress } | { payment: CallPayment };

/** Yields each report of a call, and returns its result. */
export async function* withReports<Result>(
  call: (reporting: Pick<AgentCallOptions, 'onProgress' | 'onPayment'>) => Promise<Result>,
): AsyncGenerator<CallReport, Result, undefined> {
  const reports: CallReport[] = [];
  let wake = () => {};
  let running = true;
  const add = (report: CallReport) => {
    reports.push(report);
    wake();
  };
  const result = call({ onProgress: (progress) => add({ progress }), onPayment: (payment) => add({ payment }) }).finally(() => {
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
  return await result;
}
