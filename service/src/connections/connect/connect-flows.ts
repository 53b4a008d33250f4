/**
 * Flows: a person connects an account by a link.
 *
 * The browser that began a flow ends it: its cookie, the `state` and the redirect address of the toolkit must fit. An account of everyone, of an agent
 * key or of a person is stored at once. That of an app's user waits, and nothing can use it, until the app confirms whose browser it was.
 */
import { randomBytes } from 'node:crypto';
import type { Catalog } from '../../catalog/catalog';
import type { Logger } from '../../lib/logger';
import { sha256Hex } from '../../lib/sha256-hex';
import type { ConnectLinkRecord, ConnectStore, FlowRecord, NewFlow } from '../../store/connect-store';
import { type ConnectedToolkit, isConnected } from '../call-connections';
import type { KeptSecret } from '../kept-secret';
import { readOwner } from '../owner';
import type { Provider, ProviderClient } from '../provider';
import { ProviderError } from '../provider-error';
import { lookUpAccount } from './account-lookup';
import type { AppConnects } from './app-connects';
import { newConfirmationCode } from './confirmation-code';
import type { ConnectionClients } from './connection-clients';
import { CredentialFormError, readCredentialForm } from './credential-form';
import type { FlowAccounts } from './flow-accounts';
import type { ConnectedFlow, FlowSecrets, StartedFlow } from './flow-secrets';
import type { Opener, Openers } from './openers';
import type { PageAddress } from './page-address';
import { returnAddress } from './return-address';

/** The time at the provider. */
const PROVIDER_MS = 600_000;
/** The time for the confirmation. */
export const CONFIRM_MS = 600_000;
const MAX_STARTS = 20;

export interface ConnectFlowsDeps {
  store: ConnectStore;
  secrets: FlowSecrets;
  accounts: FlowAccounts;
  clients: Pick<ConnectionClients, 'providerOf' | 'clientOf'>;
  provider: Provider;
  apps: Pick<AppConnects, 'get'>;
  openers: Openers;
  catalog: Pick<Catalog, 'toolkit'>;
  address: PageAddress;
  /** Hosts of providers that may have no TLS. */
  privateHosts: readonly string[];
  logger: Logger;
}

/** A browser with its cookie. */
export type KnownOpener = Opener & { browserHash: string };

export interface FlowStart {
  link: ConnectLinkRecord;
  linkToken: string;
  toolkit: ConnectedToolkit;
  opener: KnownOpener;
  form: URLSearchParams;
}

export class ConnectFlows {
  readonly #deps: ConnectFlowsDeps;

  constructor(deps: ConnectFlowsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the next address of the browser. Undefined when another browser has the link, or too many flows began.
   *
   * Rejects with CredentialFormError or ProviderError; the person may try again.
   */
  async start(start: FlowStart): Promise<string | undefined> {
    return start.toolkit.auth.type === 'oauth2' ? this.#startAtProvider(start) : this.#startWithForm(start);
  }

  /**
   * Returns the next address of the browser. Undefined when this browser has no such flow.
   *
   * @param query with which the provider sent the browser back
   */
  async finish(toolkitId: string, query: URLSearchParams, opener: Opener): Promise<string | undefined> {
    const { store, secrets, address } = this.#deps;
    const state = query.get('state');
    const flow = state ? await store.flowByState(sha256Hex(state)) : undefined;
    const secret = flow && secrets.open(flow);
    if (!flow || !secret || flow.browserHash !== opener.browserHash) return undefined;
    const page = address.linkUrl(secret.linkToken);
    // False for a page that is loaded again: the page of the link shows how the flow ended.
    if (!secret.started || !(await store.changeFlow(flow.id, 'started', { status: 'checking' }))) return page;
    try {
      if (flow.toolkitId !== toolkitId) throw userMends('The provider sent the browser to the address of another toolkit');
      const toolkit = this.#deps.catalog.toolkit(toolkitId);
      if (!isConnected(toolkit)) throw userMends('The toolkit needs no account any more');
      await this.#requireSamePerson(flow, secret.started, opener);
      const connected = await this.#exchange(toolkit, secret.started, query);
      return await this.#connected(flow, connected, opener, secret.linkToken);
    } catch (error) {
      await store.changeFlow(flow.id, 'checking', { status: 'failed', problem: this.#problemOf(error) });
      return page;
    }
  }

  async #startAtProvider({ link, linkToken, toolkit, opener }: FlowStart): Promise<string | undefined> {
    const { clients, provider, address } = this.#deps;
    const at = await clients.providerOf(toolkit);
    this.#requireWebPage(at.endpoints.authorizationUrl);
    const { url, ...asked } = await provider.authorize({ ...at, redirectUri: address.callbackUrl(toolkit.id) });
    const started: StartedFlow = {
      ...{ ...asked, clientId: at.client.clientId, endpoints: at.endpoints, scopes: at.scopes },
      ...{ resource: at.resource, server: at.server, personId: opener.person?.id },
    };
    if (!(await this.#claim(link, opener))) return undefined;
    await this.#add({ link, toolkit, opener, status: 'started', stateHash: sha256Hex(asked.state) }, { linkToken, started });
    return url.href;
  }

  async #startWithForm({ link, linkToken, toolkit, opener, form }: FlowStart): Promise<string | undefined> {
    const secret = readCredentialForm(toolkit.auth, form);
    // Before the credential is tried, so that each try counts.
    if (!(await this.#claim(link, opener))) return undefined;
    const connected: ConnectedFlow = { secret, account: await lookUpAccount(toolkit.auth, secret, this.#deps), scopes: '' };
    const flow = await this.#add({ link, toolkit, opener, status: 'checking', stateHash: null }, { linkToken, connected });
    return this.#connected(flow, connected, opener, linkToken);
  }

  /** The address may come from the metadata of a stranger's server, and the browser opens it. */
  #requireWebPage(authorizationUrl: string): void {
    const { protocol, hostname, host } = new URL(authorizationUrl);
    if (protocol === 'https:' || (protocol === 'http:' && this.#deps.privateHosts.includes(hostname))) return;
    throw new ProviderError(`The page of the provider ${host} has no https address. The toolkit's owner has to correct its endpoints`, {
      mender: 'owner',
    });
  }

  #claim({ hash }: ConnectLinkRecord, { browserHash }: KnownOpener): Promise<boolean> {
    return this.#deps.store.claimLink(hash, { browserHash, maxStarts: MAX_STARTS, forMs: PROVIDER_MS + CONFIRM_MS });
  }

  async #add(
    {
      link,
      toolkit,
      opener,
      status,
      stateHash,
    }: Pick<FlowStart, 'link' | 'toolkit'> & { opener: KnownOpener } & Pick<NewFlow, 'status' | 'stateHash'>,
    secret: Parameters<FlowSecrets['seal']>[1],
  ): Promise<FlowRecord> {
    const { store, secrets } = this.#deps;
    const place = { id: `flow_${randomBytes(16).toString('hex')}`, toolkitId: toolkit.id, owner: link.owner };
    const flow = { ...place, linkHash: link.hash, name: link.name, status, browserHash: opener.browserHash, stateHash, codeHash: null };
    await store.addFlow({ ...flow, ...secrets.seal(place, secret) }, PROVIDER_MS);
    return this.#stored(place.id);
  }

  async #exchange(toolkit: ConnectedToolkit, started: StartedFlow, query: URLSearchParams): Promise<ConnectedFlow> {
    const { clients, provider, address } = this.#deps;
    const { endpoints, resource, scopes, clientId, server } = started;
    const grant = { type: 'oauth2' as const, tokenUrl: endpoints.tokenUrl, clientId };
    const client: ProviderClient = (await clients.clientOf(toolkit.id, { ...grant, token: '' })) ?? { clientId, authMethod: 'none' };
    const ask = { endpoints, client, redirectUri: address.callbackUrl(toolkit.id), scopes, resource };
    const { token, refreshToken, expiresInMs, ...granted } = await provider.exchange(ask, query, started);
    const { revocationUrl, issuer } = endpoints;
    const secret: KeptSecret = {
      ...{ ...grant, token },
      ...(refreshToken !== undefined && { refreshToken }),
      ...(revocationUrl !== undefined && { revocationUrl }),
      ...(issuer !== undefined && { issuer }),
      ...(resource !== undefined && { resource }),
      ...(server !== undefined && { server }),
    };
    const account = await lookUpAccount(toolkit.auth, secret, this.#deps);
    return { secret, account, scopes: granted.scopes ?? scopes.join(' '), expiresInMs };
  }

  /** Stores the account, or lets it wait for its app. Returns the next address of the browser. */
  async #connected(flow: FlowRecord, connected: ConnectedFlow, opener: Opener, linkToken: string): Promise<string> {
    const { store, secrets, accounts, apps, address } = this.#deps;
    const page = address.linkUrl(linkToken);
    const owner = readOwner(flow.owner);
    if (owner.kind !== 'user') {
      // The toolkit, the key or the person may have been removed meanwhile.
      if (!(await store.changeFlow(flow.id, 'checking', { status: 'checking' }))) return this.#giveUp(flow, connected, page);
      await accounts.keep(flow, connected, opener.person);
      await store.changeFlow(flow.id, 'checking', { ...secrets.seal(flow, { linkToken }), status: 'done' });
      return page;
    }
    const code = newConfirmationCode();
    const waiting = {
      ...secrets.seal(flow, { linkToken, connected: { ...connected, code } }),
      codeHash: sha256Hex(code),
      forMs: CONFIRM_MS,
    };
    if (!(await store.changeFlow(flow.id, 'checking', { ...waiting, status: 'awaiting' }))) return this.#giveUp(flow, connected, page);
    const { returnUrl } = await apps.get(owner.keyId);
    return returnUrl === undefined ? page : returnAddress(returnUrl, { code, toolkit: flow.toolkitId });
  }

  /** Nothing can use the account. Returns the next address of the browser. */
  async #giveUp(flow: FlowRecord, connected: ConnectedFlow, page: string): Promise<string> {
    await this.#deps.accounts.revoke(flow, connected);
    return page;
  }

  /** The session may have ended at the provider, or be of another person. */
  async #requireSamePerson(flow: FlowRecord, { personId }: StartedFlow, { person }: Opener): Promise<void> {
    const admission = await this.#deps.openers.admit(flow.owner, [flow.toolkitId], person);
    if (admission === 'admitted' && (person?.id === personId || readOwner(flow.owner).kind === 'user')) return;
    throw userMends('You are not signed in any more as the person who began. Sign in, and connect the account again');
  }

  async #stored(id: string): Promise<FlowRecord> {
    const flow = await this.#deps.store.flow(id);
    if (!flow) throw new Error(`The flow ${id} is not stored`);
    return flow;
  }

  #problemOf(error: unknown): string {
    if (error instanceof ProviderError || error instanceof CredentialFormError) return error.message;
    this.#deps.logger.error({ error }, 'cannot connect an account');
    return 'The service failed, and its log has the reason. Try again later';
  }
}

function userMends(message: string): ProviderError {
  return new ProviderError(message, { mender: 'user' });
}
