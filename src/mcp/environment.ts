/**
 * Reads from the environment which tools to offer, what a call may cost, and the names that its record gets. `Tools` itself reads key and address.
 *
 * Errors: INVALID_REQUEST for an invalid value.
 */
import { type GetToolsOptions, SvcError, type ToolsOptions } from 'svc-sdk';
import { amountProblem } from '../protocol/amount';
import { headerTextProblem, MAX_CALLER_ID_CHARS } from '../protocol/ids';
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

/** Undefined for an empty variable too. */
export function readCaller({ SVC_USER_ID, SVC_SESSION_ID }: NodeJS.ProcessEnv): Pick<ToolsOptions, 'userId' | 'sessionId'> {
  return { userId: readId('SVC_USER_ID', SVC_USER_ID), sessionId: readId('SVC_SESSION_ID', SVC_SESSION_ID) };
}

function readId(name: string, value = ''): string | undefined {
  const id = value.trim();
  if (id === '') return undefined;
  const problem = headerTextProblem(name, id, MAX_CALLER_ID_CHARS);
  if (problem) throw new SvcError('INVALID_REQUEST', problem);
  return id;
}
