/** The `register` request and its answer. */
import { version } from '../../package.json';
import { SvcError } from '../protocol/errors';
import { PROTOCOL_VERSION, type RegisterParams, type RegisterResult, type RejectedAction } from '../protocol/frames';
import type { LintFinding } from '../protocol/lint';
import type { Registration } from './status';
import { LONGEST_TIMER_MS } from './timers';

export type RegistrationParts = Omit<RegisterParams, 'protocol' | 'sdk' | 'actions'>;

/** @param actionsJson the JSON array of all actions, in place of `list` */
export function registerParamsJson(parts: RegistrationParts, actionsJson?: string): string {
  const params: RegisterParams = { protocol: PROTOCOL_VERSION, sdk: `svc-sdk-js/${version}`, ...parts };
  const json = JSON.stringify(params);
  return actionsJson === undefined ? json : `${json.slice(0, -1)},"actions":${actionsJson}}`;
}

/** Undefined for an invalid answer. */
export function readRegisterResult(value: unknown): RegisterResult | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { toolkit, accepted, rejected, awaiting, heartbeatMs } = value as Partial<RegisterResult>;
  const isGood =
    typeof toolkit?.id === 'string' &&
    [accepted, rejected, awaiting].every(Array.isArray) &&
    rejected?.every((item) => typeof item === 'object' && item !== null) &&
    typeof heartbeatMs === 'number' &&
    heartbeatMs >= 1 &&
    heartbeatMs <= LONGEST_TIMER_MS;
  return isGood ? (value as RegisterResult) : undefined;
}

/** Invalid warnings are left out: they must not fail a registration. */
export function readWarnings({ warnings, moreWarnings, held }: RegisterResult): Pick<Registration, 'warnings' | 'moreWarnings' | 'held'> {
  const good = Array.isArray(warnings) ? warnings.filter(isWarning) : [];
  return { warnings: good, moreWarnings: typeof moreWarnings === 'number' ? moreWarnings : 0, held: Array.isArray(held) ? held : [] };
}

function isWarning(value: unknown): boolean {
  const { rule, message, hint } = (value ?? {}) as Partial<LintFinding>;
  return [rule, message, hint].every((text) => typeof text === 'string');
}

export function rejectedActionsError(rejected: readonly RejectedAction[]): SvcError {
  const reasons = rejected.map(({ action, message }) => `"${action}": ${message}`);
  return new SvcError('INVALID_ACTION', `The service rejected ${rejected.length} of the actions. ${reasons.join('; ')}`);
}
