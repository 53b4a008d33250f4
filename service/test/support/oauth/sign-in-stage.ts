/** Everything that an OAuth client of `/mcp` meets: the service, a person who is signed in to its console, and a toolkit. */
import { fileURLToPath } from 'node:url';
import type { ConsoleOptions } from 'svc-service';
import { onTestFinished, vi } from 'vitest';
import type { ConnectedAppsPage } from '#sdk/protocol/connected-app-schemas';
import { type ConsoleService, startConsole } from '../../../../test/support/console-service';
import { startNats } from '../../../../test/support/nats';
import { offeredAt } from '../../../../test/support/nodes';
import { newDatabase } from '../../../../test/support/postgres';
import { startService } from '../../../../test/support/service';
import { decide } from './allow-app.ts';
import { startBalancer } from './balancer';

export interface SignInStage {
  service: ConsoleService;
  /** A person types it into a client. */
  mcpUrl: string;
  /** The person allows the app; returns where the browser goes then. */
  allow(address: string): Promise<string>;
  connectedApps(): Promise<ConnectedAppsPage['apps']>;
  /** Ends the only app that is connected. */
  disconnect(): Promise<void>;
  /** Access tokens of now have expired for the service. */
  expireTokens(): void;
  /** Variables with which a program opens the person's browser. */
  browserOf(): Record<string, string>;
}

const ACCESS_TOKEN_SECONDS = 60;

export async function startSignInStage(options: ConsoleOptions = {}): Promise<SignInStage> {
  const service = await startConsole({ console: { accessTokenSeconds: ACCESS_TOKEN_SECONDS, ...options } });
  return openStage(service, service.url);
}

/** Two nodes on PostgreSQL, behind a load balancer. */
export async function startSignInNodes(options: ConsoleOptions = {}): Promise<SignInStage> {
  const [balancer, database, nats] = await Promise.all([startBalancer(), newDatabase(), startNats()]);
  const console = { accessTokenSeconds: ACCESS_TOKEN_SECONDS, publicUrl: balancer.url, ...options };
  const first = await startConsole({ database, nats: nats.url, console });
  const second = await startService({ database, nats: nats.url, console });
  balancer.nodes.push(first.url, second.url);
  const stage = await openStage(first, balancer.url);
  await offeredAt([first, second], 'echo__say');
  return stage;
}

async function openStage(service: ConsoleService, url: string): Promise<SignInStage> {
  await service.toolkit('echo', (toolkit) =>
    toolkit.action(
      { action: 'say', actionDescription: 'Says a text again', payloadDescription: { text: { type: 'string', required: true } } },
      (_ctx, { text }) => ({ said: text }),
    ),
  );
  const { owner } = service;
  const connectedApps = async () => (await owner.json<ConnectedAppsPage>('GET', '/v1/connected-apps')).apps;
  return {
    service,
    mcpUrl: `${url}/mcp`,
    allow: (address) => decide(address, owner),
    connectedApps,
    disconnect: async () => {
      const [app] = await connectedApps();
      await owner.json('DELETE', `/v1/connected-apps/${app?.id}`);
    },
    expireTokens: () => {
      if (!vi.isFakeTimers()) {
        vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
        onTestFinished(() => void vi.useRealTimers());
      }
      vi.setSystemTime(Date.now() + (ACCESS_TOKEN_SECONDS + 1) * 1_000);
    },
    browserOf: () => ({
      BROWSER: `${fileURLToPath(new URL('browser.ts', import.meta.url))} %s`,
      CONSOLE_COOKIE: owner.cookie,
    }),
  };
}
