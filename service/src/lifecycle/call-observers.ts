import { type CallObserver, CallObservers } from '../calls/call-observer';
import type { ResultMisfits } from '../catalog/results/result-misfits';
import type { Logger } from '../lib/logger';
import type { Metrics } from '../metrics/index';
import type { Records } from '../records/records';
import type { Searches } from '../searches/searches';
import type { OpenTelemetry } from '../tracing/open-telemetry';
import { tracedCalls } from '../tracing/traced-calls';
import { callLog } from './call-log';

export interface CallObserversDeps {
  searches: Searches;
  misfits: Pick<ResultMisfits, 'resultReceived'>;
  tracing: OpenTelemetry | undefined;
  metrics: Metrics | undefined;
  records: Records | undefined;
  logger: Logger;
}

/** The observers of calls. Each event reaches them in this order. */
export function callObservers({ searches, misfits, tracing, metrics, records, logger }: CallObserversDeps): CallObservers {
  const observers: CallObserver[] = [searches, misfits];
  if (tracing) observers.push(tracedCalls(tracing));
  if (metrics) observers.push(metrics.callObserver);
  if (records) observers.push(records.callObserver);
  if (logger.isLevelEnabled?.('info') ?? true) observers.push(callLog(logger));
  return new CallObservers(observers);
}
