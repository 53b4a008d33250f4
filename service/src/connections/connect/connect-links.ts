/**
 * Links to the connect page. A link is for one owner and some toolkits; only its hash is stored. It opens no account: the session of the console or
 * the app verifies that its opener is the owner.
 */
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../lib/sha256-hex';
import { toTime } from '../../lib/to-time';
import type { ConnectLinkRecord, ConnectStore } from '../../store/connect-store';
import { readOwner } from '../owner';
import type { AppConnects } from './app-connects';
import type { PageAddress } from './page-address';
import { opensChat } from './return-address';

/** Links of an owner and a creator that no browser opened; a new one removes the oldest. */
const MAX_LINKS = 20;
/** The life of a link that a call answers. */
export const CALL_LINK_MS = 600_000;
/** The life of a link that an app or a person asked for. */
export const SESSION_MS = 1_800_000;
const TOKEN_BYTES = 32;

export interface LinkRequest {
  owner: string;
  toolkits: string[];
  /** The name of the connection. */
  name: string;
  /** An agent key, a person or an admin key. */
  createdBy: string;
  forMs: number;
}

export interface ConnectLink {
  url: string;
  /** RFC 3339. */
  expiresAt: string;
  /** The page ends with a code, which the user hands to the app. */
  confirm?: true;
}

export interface ConnectLinksDeps {
  store: Pick<ConnectStore, 'addLink' | 'link'>;
  apps: Pick<AppConnects, 'get'>;
  address: PageAddress;
}

export class ConnectLinks {
  readonly #deps: ConnectLinksDeps;

  constructor(deps: ConnectLinksDeps) {
    this.#deps = deps;
  }

  /** Rejects with SERVICE_UNAVAILABLE where the service does not know the address of its own pages. */
  async create({ forMs, ...request }: LinkRequest): Promise<ConnectLink> {
    const { store, address } = this.#deps;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const url = address.linkUrl(token);
    const expiresAt = await store.addLink({ ...request, hash: sha256Hex(token) }, { forMs, max: MAX_LINKS });
    return { url, expiresAt: toTime(expiresAt), ...((await this.#endsWithCode(request.owner)) && { confirm: true }) };
  }

  find(token: string): Promise<ConnectLinkRecord | undefined> {
    return this.#deps.store.link(sha256Hex(token));
  }

  async #endsWithCode(ownerText: string): Promise<boolean> {
    const owner = readOwner(ownerText);
    if (owner.kind !== 'user') return false;
    const { returnUrl } = await this.#deps.apps.get(owner.keyId);
    return returnUrl === undefined || opensChat(returnUrl);
  }
}
