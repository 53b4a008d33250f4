/**
 * Reads from the environment which tools to offer, and what a call may cost. `Tools` itself reads key and address.
 *
 * Errors: INVALID_REQUEST for an invalid value.
 */
import { type GetToolsOptions, SvcError } from 'svc-sdk';
import { amountProblem } from '../protocol/amount';
import { readFlag, readList } from '../protocol/selection';

export function readSelection({ SVC_DYNAMIC_TOOLS, SVC_STATIC_TOOLKITS, SVC_STATIC_ACTIONS }: NodeJS.ProcessEnv): GetToolsOptions {
  return {
    dynamicTools: readFlag('SVC_DYNAMIC_TOOLS', SVC_DYNAMIC_TOOLS) ?? true,
    staticToolkits: readList(SVC_STATIC_TOOLKITS),
    staticActions: readList(SVC_STATIC_ACTIONS),
  };
}

/** Undefined for an empty variable too. */
export function readMaxPayment({ SVC_MAX_PAYMENT = '' }: NodeJS.ProcessEnv): string | undefined {
  const amount = SVC_MAX_PAYMENT.trim();
  if (amount === '') return undefined;
  const problem = amountProblem('SVC_MAX_PAYMENT', amount);
  if (problem) throw new SvcError('INVALID_REQUEST', problem);
  return amount;
}
