/** Finds a client by its id: a registration that this service signed, or the address of a metadata document. */

import type { Signer } from '../keys/signer';
import type { Client } from './client';
import { ClientDocuments } from './client-documents';
import { OAuthError } from './oauth-error';
import { readRegisteredClient } from './registered-clients';

export class Clients {
  readonly #documents: ClientDocuments;
  readonly #signer: Signer;

  constructor(documents: ClientDocuments, signer: Signer) {
    this.#documents = documents;
    this.#signer = signer;
  }

  /** Rejects with OAuthError invalid_client. */
  async find(id: string): Promise<Client> {
    if (ClientDocuments.isAddress(id)) return this.#documents.read(id);
    const registered = readRegisteredClient(id, this.#signer);
    if (!registered) throw new OAuthError('invalid_client', 'This service does not know the client: register it again');
    return registered;
  }
}
