/** A service with an app, a toolkit whose calls need an account, and people at the connect page. Everything is closed when the test ends. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Toolkit } from 'svc-sdk';
import type { ServiceOptions } from 'svc-service';
import { expect, onTestFinished, vi } from 'vitest';
import type { RequiredConnection, ToolkitAuth } from '#sdk/protocol/connections';
import { SvcError } from '#sdk/protocol/errors';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { makeFolder } from '../../../../test/support/folder';
import { runToolkit, startService, type TestService } from '../../../../test/support/service';
import { ConnectionClients, type NewClient } from '../../../src/connections/connect/connection-clients';
import { PageAddress } from '../../../src/connections/connect/page-address';
import { ServerDiscovery } from '../../../src/connections/connect/server-discovery';
import { SecretKeys } from '../../../src/connections/secret-keys';
import { guardedFetch } from '../../../src/lib/guarded-fetch';
import { locationOf } from '../../../src/store/location';
import { openKeyStore } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';
import { aSecretsKey } from './kept-rows';
import { type OAuthProvider, type OAuthProviderOptions, startOAuthProvider } from './oauth-provider';
import { PageBrowser } from './page-browser';

/** The id of the toolkit on the stage. */
const TOOLKIT = 'github';
const ACTION = 'github__star';

export interface App {
  id: string;
  key: string;
  /** Returns the JSON of the answer; a problem is thrown. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Calls the action for a user. Returns the connection that the toolkit got. */
  call(userId?: string, headers?: Record<string, string>): Promise<unknown>;
  /** How to connect, as a call for a user learns it. */
  required(userId: string): Promise<RequiredConnection & { url: string }>;
}

export class ConnectStage<Service extends TestService = TestService> {
  readonly service: Service;
  readonly toolkit: Toolkit;
  readonly #data: string;
  readonly #secretsKey: string;

  constructor(parts: { service: Service; toolkit: Toolkit; data: string; secretsKey: string }) {
    this.service = parts.service;
    this.toolkit = parts.toolkit;
    this.#data = parts.data;
    this.#secretsKey = parts.secretsKey;
  }

  get callbackUrl(): string {
    return `${this.service.url}/connections/callback/${TOOLKIT}`;
  }

  /** The toolkit asks for this connection from now on. */
  async asks(auth: ToolkitAuth): Promise<void> {
    this.toolkit.updateToolkit({ auth });
    await vi.waitFor(() => this.onStore(async ({ catalog }) => expect((await catalog.toolkits([TOOLKIT]))[0]?.auth).toEqual(auth)));
  }

  /** Starts a provider, for whose accounts the toolkit asks, and sets the toolkit's client there. */
  async withProvider(auth: Partial<ToolkitAuth> = {}, options: OAuthProviderOptions = {}): Promise<OAuthProvider> {
    const provider = await startOAuthProvider({ redirectUris: [this.callbackUrl], ...options });
    const { authorizationUrl, tokenUrl, revocationUrl, issuer, accountUrl, clientId, clientSecret } = provider;
    await this.asks({
      ...{ type: 'oauth2', from: 'user', authorizationUrl, tokenUrl, revocationUrl, issuer, scopes: ['openid', 'repo'] },
      ...{ account: { url: accountUrl, field: '/sub' } },
      ...auth,
    });
    await this.setClient({ clientId, clientSecret });
    return provider;
  }

  /** As the toolkit's owner sets it. */
  async setClient(client: NewClient): Promise<void> {
    await this.onStore(async (store) => {
      const discovery = new ServerDiscovery(guardedFetch({ privateHosts: ['127.0.0.1'], deadlineMs: 10_000, maxBytes: 100_000 }));
      const keys = SecretKeys.read(this.#secretsKey, 'the key');
      const clients = new ConnectionClients({
        store: store.connect,
        keys,
        discovery,
        address: new PageAddress({ publicUrl: undefined, host: '' }),
      });
      const [toolkit] = await store.catalog.toolkits([TOOLKIT]);
      if (!toolkit?.auth) throw new Error('The toolkit asks for no connection');
      await clients.set({ ...toolkit, auth: toolkit.auth }, client);
    });
  }

  async onStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = (await openKeyStore(locationOf(this.#data), { create: false })) as Store;
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** Another toolkit, whose id is the name. */
  async addToolkit(name: string, auth: ToolkitAuth): Promise<void> {
    const { key } = await this.service.keys.create({ kind: 'toolkit', name });
    await runToolkit(this.service.url, key, (toolkit) => {
      toolkit.updateToolkit({ description: 'More', auth });
      toolkit.action({ action: 'look', actionDescription: 'Looks' }, () => 'seen');
    });
  }

  /** A server on this machine. Returns its origin. */
  async listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  browser(cookie?: string): PageBrowser {
    return new PageBrowser(this.service.url, cookie);
  }

  async app(name = 'Shop bot'): Promise<App> {
    const { id, key } = await this.service.keys.create({ kind: 'agent', name });
    const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(this.service.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const call = async (userId?: string, headers: Record<string, string> = {}) => {
      const all = { ...(userId !== undefined && { [HEADERS.userId]: userId }), ...headers };
      const answer = (await toJson(await send('POST', PATHS.invoke, { action: ACTION, payload: {} }, all))) as { result: unknown };
      return JSON.parse(Buffer.from(String(answer.result), 'base64').toString());
    };
    return {
      ...{ id, key, call },
      ask: async <T>(method: string, path: string, body?: unknown) => (await toJson(await send(method, path, body))) as T,
      required: async (userId) => {
        const error = await call(userId).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (!SvcError.is(error) || !error.details.connect?.url) throw new Error(`The call needs no connection: ${error}`);
        return { ...error.details.connect, url: error.details.connect.url };
      },
    };
  }
}

async function toJson(response: Response): Promise<unknown> {
  const text = await response.text();
  const json = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw SvcError.fromProblem(json) ?? new Error(text);
  return json;
}

type Start<Service> = (options: ServiceOptions) => Promise<Service>;

export async function startConnectStage<Service extends TestService = TestService>(
  auth: ToolkitAuth = { type: 'bearer', from: 'user', help: 'A token with the scope repo' },
  options: ServiceOptions = {},
  start: Start<Service> = startService as Start<Service>,
): Promise<ConnectStage<Service>> {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const secretsKey = aSecretsKey();
  const connections = { privateHosts: ['127.0.0.1'] };
  const service = await start({ data: folder.path, secretsKey, connections, ...options });
  const { key: toolkitKey } = await service.keys.create({ kind: 'toolkit', name: 'GitHub' });
  const toolkit = await runToolkit(service.url, toolkitKey, (defined) => {
    defined.updateToolkit({ description: 'Repositories', auth });
    // The service removes the secret from results, so it is sent in another form.
    defined.action({ action: 'star', actionDescription: 'Stars a repository' }, ({ connection }) => {
      const { type, token, username, password, apiKey, account } = connection ?? {};
      return Buffer.from(JSON.stringify({ type, token, username, password, apiKey, account })).toString('base64');
    });
  });
  return new ConnectStage({ service, toolkit, data: folder.path, secretsKey });
}
