/** The rule that the service refused, from the words of its refusal: `… cannot be changed: rules.1.match has the unknown member actions`. */
import { ApiError } from '../../../api/request';

export interface RefusedRule {
  /** Its place in the rules that were sent. */
  index: number;
  message: string;
}

/** Undefined for another error. */
export function refusedRule(error: unknown): RefusedRule | undefined {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_REQUEST') return undefined;
  const [, index, message] = /: rules\.(\d+)[. ](.+)$/s.exec(error.message) ?? [];
  return index === undefined || message === undefined ? undefined : { index: Number(index), message };
}
