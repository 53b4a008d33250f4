/**
 * An API with its OAuth provider, and the toolkit in front of it, in one process: oidc-provider rotates refresh tokens and ends a grant whose token
 * comes twice. The toolkit looks up its token as the API does, and asks once for a new one when it is refused.
 */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { Toolkit } from 'svc-sdk';
import type { ToolkitAuth } from '../../src/protocol/connections.ts';
import { serveJobs } from '../common/worker-process.ts';

const CLIENT_ID = 'svc-bench';
const DAY_S = 86_400;

export type ApiJob =
  | { job: 'start'; tokenSeconds: number }
  | { job: 'grant' }
  | { job: 'serve'; url: string; key: string }
  | { job: 'counts' }
  /** Resolves with the next request for tokens, which then waits: with its answer, or before the provider has it. */
  | { job: 'hold'; when: 'before' | 'after' }
  | { job: 'release' };

export interface ApiCounts {
  /** Tokens that the provider gave out. */
  refreshes: number;
  /** Refresh tokens that came twice, and grants that ended for it. */
  reuse: number;
  /** Requests for tokens that the provider refused. */
  refused: number;
  /** Access tokens that the API took, that it refused once, and twice. */
  taken: number;
  renewed: number;
  failed: number;
}

const counts: ApiCounts = { refreshes: 0, reuse: 0, refused: 0, taken: 0, renewed: 0, failed: 0 };
let issuer = '';
let provider: Provider;
let held: { when: 'before' | 'after'; onRequest: () => void; release: Promise<void> } | undefined;
let release = () => {};

serveJobs<ApiJob, object>(async (asked) => {
  switch (asked.job) {
    case 'start':
      issuer = await startProvider(asked.tokenSeconds);
      return { tokenUrl: `${issuer}/token`, clientId: CLIENT_ID };
    case 'grant':
      return { refreshToken: await newGrant() };
    case 'serve':
      await serveToolkit(asked.url, asked.key);
      return {};
    case 'counts':
      return counts;
    case 'hold': {
      const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      release = () => {
        held = undefined;
        released.resolve();
      };
      held = { when: asked.when, onRequest: requested.resolve, release: released.promise };
      await requested.promise;
      return {};
    }
    case 'release':
      release();
      return {};
  }
});

async function startProvider(tokenSeconds: number): Promise<string> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // oidc-provider warns of what a bench may do.
  console.warn = console.info = () => {};
  provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        redirect_uris: ['https://svc.example/cb'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    scopes: ['openid', 'offline_access'],
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    ttl: { AccessToken: tokenSeconds, Grant: DAY_S, IdToken: tokenSeconds, RefreshToken: DAY_S },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  provider.on('grant.success', () => counts.refreshes++);
  provider.on('grant.error', () => counts.refused++);
  provider.on('grant.revoked', () => counts.reuse++);
  server.on('request', holding(provider.callback()));
  return url;
}

function holding(answer: RequestListener): RequestListener {
  return async (request, response) => {
    const hold = request.url === '/token' ? held : undefined;
    if (hold?.when === 'before') {
      hold.onRequest();
      await hold.release;
      // The node that asked is gone, and its request with it.
      if (request.socket.destroyed) return;
    }
    if (hold?.when === 'after') holdAnswer(response, hold);
    answer(request, response);
  };
}

function holdAnswer(response: ServerResponse, { onRequest, release: released }: NonNullable<typeof held>): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    onRequest();
    void released.then(() => end(...args));
    return response;
  }) as ServerResponse['end'];
}

async function newGrant(): Promise<string> {
  const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: 'octocat' });
  grant.addOIDCScope('openid offline_access');
  const client = await provider.Client.find(CLIENT_ID);
  const token = { accountId: 'octocat', client, grantId: await grant.save(), gty: 'authorization_code', scope: 'openid offline_access' };
  return new provider.RefreshToken({ ...token, claims: {}, authTime: Math.floor(Date.now() / 1_000) }).save();
}

async function serveToolkit(url: string, key: string): Promise<void> {
  const toolkit = new Toolkit({ apiKey: key, baseUrl: url });
  const auth: ToolkitAuth = { type: 'oauth2', from: 'user', authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token` };
  toolkit.updateToolkit({ auth });
  toolkit.action({ action: 'free', actionDescription: 'Does nothing', auth: false }, () => 'done');
  toolkit.action({ action: 'kept', actionDescription: 'Does nothing, with an account' }, () => 'done');
  toolkit.action({ action: 'whoami', actionDescription: 'Says whose account it is' }, async ({ connection }) => {
    for (let attempt = 0; ; attempt++) {
      if (await provider.AccessToken.find(connection?.token ?? '')) {
        counts.taken++;
        return 'octocat';
      }
      if (attempt === 1) {
        counts.failed++;
        throw new Error('The API refused the token twice');
      }
      counts.renewed++;
      await connection?.refused();
    }
  });
  void toolkit.run();
  await toolkit.ready;
}
