/** The secrets of a flow, sealed in its row. */
import type { FlowRecord } from '../../store/connect-store';
import type { SealedSecret } from '../../store/connection-store';
import type { KeptSecret } from '../kept-secret';
import type { AuthorizationSecrets, ProviderEndpoints } from '../provider';
import type { SecretKeys } from '../secret-keys';

export interface FlowSecret {
  /** The token of the link leads back to its page. */
  linkToken: string;
  started?: StartedFlow;
  connected?: ConnectedFlow;
}

/** While the browser is at the provider. The endpoints are those to which it was sent. */
export interface StartedFlow extends AuthorizationSecrets {
  clientId: string;
  endpoints: ProviderEndpoints;
  scopes: readonly string[];
  resource?: string | undefined;
  server?: string | undefined;
  /** The person who began. */
  personId?: string | undefined;
}

/** An account that waits for its confirmation. */
export interface ConnectedFlow {
  secret: KeptSecret;
  account: string;
  scopes: string;
  /** The life of the secret when the flow began to wait. */
  expiresInMs?: number | undefined;
  /** The code that the user hands to the app. */
  code?: string;
}

type FlowPlace = Pick<FlowRecord, 'id' | 'toolkitId' | 'owner'>;

export class FlowSecrets {
  readonly #keys: SecretKeys;

  constructor(keys: SecretKeys) {
    this.#keys = keys;
  }

  seal(place: FlowPlace, secret: FlowSecret): SealedSecret {
    return this.#keys.seal(JSON.stringify(secret), placeOf(place));
  }

  /** Undefined for a secret that no key of this service opens. */
  open(flow: FlowRecord): FlowSecret | undefined {
    const text = this.#keys.open(flow, placeOf(flow));
    return text === undefined ? undefined : JSON.parse(text);
  }
}

/** The secret of a row that is copied to another one does not open there. */
function placeOf({ id, toolkitId, owner }: FlowPlace): string[] {
  return ['flow', id, toolkitId, owner];
}
