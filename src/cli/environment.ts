/**
 * The address of a running service and the key for it: from the environment, or of `svc-service dev` in the current folder. Keys have no options: others on
 * the machine can read a command line.
 */
import { SvcError, type ToolsOptions } from 'svc-sdk';
import { DEFAULT_BASE_URL } from '../protocol/http';
import { devService } from './dev-service';
import { checkUrl, type ServiceAddress } from './service-request';

/** Returns the address and the agent key, which sees the catalogue within its scope. Throws INVALID_KEY. */
export function agentService(): ServiceAddress {
  const service = addressOf('SVC_AGENT_API_KEY', 'agent');
  if (service) return service;
  const message =
    'SVC_AGENT_API_KEY is not set: an agent key sees the catalogue; make one with "npx svc-service keys create --kind agent --name me", or run the command in the folder of svc-service dev';
  throw new SvcError('INVALID_KEY', message);
}

/** Options of `Tools`, which reads the variables itself. */
export function serviceOptions(): Pick<ToolsOptions, 'apiKey' | 'baseUrl'> {
  const service = process.env.SVC_AGENT_API_KEY ? undefined : devService('agent', namedUrl());
  return service ? { apiKey: service.apiKey, baseUrl: service.url } : {};
}

/** Returns the address and the admin key. Throws INVALID_KEY. */
export function adminService(url?: string): ServiceAddress {
  const service = addressOf('SVC_ADMIN_API_KEY', 'admin', url);
  if (service) return service;
  const message =
    'SVC_ADMIN_API_KEY is not set; make an admin key with "npx svc-service keys create --kind admin --name me" where the data is, or run the command in the folder of svc-service dev';
  throw new SvcError('INVALID_KEY', message);
}

/** Returns the address and the agent key, or the toolkit key where only that variable is set. Undefined without a key. */
export function explainService(): ServiceAddress | undefined {
  const toolkitKey = process.env.SVC_TOOLKIT_API_KEY;
  if (!process.env.SVC_AGENT_API_KEY && toolkitKey) return { url: namedUrl() ?? DEFAULT_BASE_URL, apiKey: toolkitKey };
  return addressOf('SVC_AGENT_API_KEY', 'agent');
}

function addressOf(variable: string, kind: 'agent' | 'admin', url?: string): ServiceAddress | undefined {
  const named = url === undefined ? namedUrl() : checkUrl(url, '--url');
  const apiKey = process.env[variable];
  return apiKey ? { url: named ?? DEFAULT_BASE_URL, apiKey } : devService(kind, named);
}

function namedUrl(): string | undefined {
  const url = process.env.SVC_BASE_URL;
  return url ? checkUrl(url, 'SVC_BASE_URL') : undefined;
}
