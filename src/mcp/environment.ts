/**
 * Reads from the environment which tools to offer, what a call may cost, the names that its record gets, and the accounts with which it acts.
 * `Tools` itself reads key and address.
 *
 * Errors: INVALID_REQUEST for an invalid value.
 */
import { type GetToolsOptions, SvcError, type ToolsOptions } from 'svc-sdk';
import { amountProblem } from '../protocol/amount';
import { readChoices, readCredentials } from '../protocol/connections';
import { headerTextProblem, MAX_CALLER_ID_CHARS } from '../protocol/ids';
import { readFlag, readList } from '../protocol/selection';

export function readSelection({ SVC_DYNAMIC_TOOLS, SVC_STATIC_TOOLKITS, SVC_STATIC_ACTIONS }: NodeJS.ProcessEnv): GetToolsOptions {
  return {
    dynamicTools: readFlag('SVC_DYNAMIC_TOOLS', SVC_DYNAMIC_TOOLS) ?? true,
    staticToolkits: readList(SVC_STATIC_TOOLKITS),
    staticActions: readList(SVC_STATIC_ACTIONS),
  };
}

export function readCodeFlag({ SVC_CODE }: NodeJS.ProcessEnv): boolean | undefined {
  return readFlag('SVC_CODE', SVC_CODE);
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

/** Undefined for an empty variable too. An error quotes neither: both may hold a secret, by mistake. */
export function readConnections({
  SVC_CONNECTIONS = '',
  SVC_CONNECTION_NAMES = '',
}: NodeJS.ProcessEnv): Pick<ToolsOptions, 'connections' | 'connectionNames'> {
  const [sent, chosen] = [SVC_CONNECTIONS.trim(), SVC_CONNECTION_NAMES.trim()];
  const credentials = sent === '' ? undefined : readCredentials(sent);
  if (sent !== '' && !credentials) throw unreadable('SVC_CONNECTIONS', 'github Bearer <token>, shop Basic <base64>, maps ApiKey <key>');
  const names = chosen === '' ? undefined : readChoices(chosen);
  if (chosen !== '' && !names) throw unreadable('SVC_CONNECTION_NAMES', 'github work, shop main');
  return {
    connections: credentials && ((toolkit) => credentials.get(toolkit)),
    connectionNames: names && Object.fromEntries(names),
  };
}

function unreadable(name: string, example: string): SvcError {
  return new SvcError('INVALID_REQUEST', `${name} is not understood: write it as ${example}; visible ASCII, each toolkit once`);
}
