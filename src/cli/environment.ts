/** The address of a running service and the key for it, from the environment. Keys have no options: others on the machine can read a command line. */
import { SvcError } from 'svc-sdk';
import { DEFAULT_BASE_URL } from '../protocol/http';
import { checkUrl, type ServiceAddress } from './service-request';

/** A client with the agent key, which sees the catalogue within its scope. Throws INVALID_KEY. */
export function agentService(): ServiceAddress {
  const apiKey = process.env.SVC_AGENT_API_KEY;
  if (!apiKey) {
    const message =
      'SVC_AGENT_API_KEY is not set: an agent key sees the catalogue; make one with "npx svc-sdk keys create --kind agent --name me"';
    throw new SvcError('INVALID_KEY', message);
  }
  return { url: environmentUrl(), apiKey };
}

/** A client with the admin key. Throws INVALID_KEY. */
export function adminService(url?: string): ServiceAddress {
  const apiKey = process.env.SVC_ADMIN_API_KEY;
  if (!apiKey) {
    const message =
      'SVC_ADMIN_API_KEY is not set; make an admin key with "npx svc-sdk keys create --kind admin --name me" where the data is';
    throw new SvcError('INVALID_KEY', message);
  }
  return { url: url === undefined ? environmentUrl() : checkUrl(url, '--url'), apiKey };
}

function environmentUrl(): string {
  return checkUrl(process.env.SVC_BASE_URL || DEFAULT_BASE_URL, 'SVC_BASE_URL');
}
