/** The admin API of a running service (docs/protocol.md section 7), with the key of SVC_ADMIN_API_KEY. */
import type { ChangeKeyRequest, CreatedKey, CreateKeyRequest, KeyInfo, Keys } from 'svc-service';
import { adminService } from '#sdk/cli/environment';
import { type ServiceAddress, serviceRequest } from '#sdk/cli/service-request';
import { ADMIN_PATHS, type RulePreview, type RulePreviewRequest } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';

export class AdminClient implements Keys {
  readonly #service: ServiceAddress;

  constructor(url: string) {
    this.#service = adminService(url);
  }

  create(request: CreateKeyRequest): Promise<CreatedKey> {
    return serviceRequest(this.#service, 'POST', PATHS.keys, request);
  }

  async list(): Promise<KeyInfo[]> {
    return (await serviceRequest<{ keys: KeyInfo[] }>(this.#service, 'GET', PATHS.keys)).keys;
  }

  previewRules(request: RulePreviewRequest): Promise<RulePreview> {
    return serviceRequest(this.#service, 'POST', `${ADMIN_PATHS.rules}/preview`, request);
  }

  change(id: string, change: ChangeKeyRequest): Promise<KeyInfo> {
    return serviceRequest(this.#service, 'PATCH', `${PATHS.keys}/${encodeURIComponent(id)}`, change);
  }

  rotate(id: string, overlapSeconds = 0): Promise<CreatedKey> {
    return serviceRequest(this.#service, 'POST', `${PATHS.keys}/${encodeURIComponent(id)}/rotate?overlapSeconds=${overlapSeconds}`);
  }

  async revoke(id: string): Promise<void> {
    await serviceRequest(this.#service, 'DELETE', `${PATHS.keys}/${encodeURIComponent(id)}`);
  }
}
