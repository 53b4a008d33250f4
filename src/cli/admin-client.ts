/** The admin API of a running service (docs/protocol.md section 7), with the key of SVC_ADMIN_API_KEY. */
import { SvcError } from 'svc-sdk';
import type { CreatedKey, CreateKeyRequest, KeyInfo, Keys } from 'svc-sdk/service';
import { PATHS } from '../protocol/http';
import { checkUrl, type ServiceAddress, serviceRequest } from './service-request';

export class AdminClient implements Keys {
  readonly #service: ServiceAddress;

  constructor(url: string, apiKey = process.env.SVC_ADMIN_API_KEY) {
    if (!apiKey) {
      const message =
        'SVC_ADMIN_API_KEY is not set; make an admin key with "npx svc-sdk keys create --kind admin --name me" where the data is';
      throw new SvcError('INVALID_KEY', message);
    }
    this.#service = { url: checkUrl(url, '--url'), apiKey };
  }

  create(request: CreateKeyRequest): Promise<CreatedKey> {
    return serviceRequest(this.#service, 'POST', PATHS.keys, request);
  }

  async list(): Promise<KeyInfo[]> {
    return (await serviceRequest<{ keys: KeyInfo[] }>(this.#service, 'GET', PATHS.keys)).keys;
  }

  rotate(id: string): Promise<CreatedKey> {
    return serviceRequest(this.#service, 'POST', `${PATHS.keys}/${encodeURIComponent(id)}/rotate`);
  }

  async revoke(id: string): Promise<void> {
    await serviceRequest(this.#service, 'DELETE', `${PATHS.keys}/${encodeURIComponent(id)}`);
  }
}
