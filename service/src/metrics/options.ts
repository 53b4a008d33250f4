/** The operator's options of metrics. */
import { SvcError } from '#sdk/protocol/errors';

export interface MetricsOptions {
  /** The bearer token of `GET /metrics`. Default: none, so everybody who reaches the service can read it. */
  token?: string | undefined;
}

/** Undefined is off. Throws SvcError INVALID_REQUEST; its message never holds the token. */
export function readMetricsOptions(option: boolean | MetricsOptions | undefined): MetricsOptions | undefined {
  if (option === undefined || option === false) return undefined;
  if (option === true) return {};
  if (option.token !== undefined && !/^[\x21-\x7e]+$/.test(option.token))
    throw new SvcError(
      'INVALID_REQUEST',
      'metrics.token (SVC_METRICS_TOKEN) is empty or holds spaces or other characters that no header takes',
    );
  return option;
}
