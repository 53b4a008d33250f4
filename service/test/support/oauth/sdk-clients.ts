/** The official TypeScript SDKs as apps that sign in at a URL. Their browser is a function. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as UnauthorizedErrorV1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { MemoryProvider } from './memory-provider';

export interface SignInOptions {
  mcpUrl: string;
  /** Opens the address of the consent page, and returns where it leads. */
  browser(address: string): Promise<string>;
  /** URL of the app's client ID metadata document. Default: it registers. */
  document?: string;
}

interface SignedInApp {
  provider: MemoryProvider;
  tools(): Promise<string[]>;
  say(text: string): Promise<unknown>;
  /** Takes the answer of the consent page that the last call opened. */
  finishSignIn(): Promise<void>;
}

export type Sdk = (options: SignInOptions) => Promise<SignedInApp>;

export const v1: Sdk = (options) => {
  const authProvider = new MemoryProvider(options);
  const transport = () => new TransportV1(new URL(options.mcpUrl), { authProvider });
  return signIn(authProvider, {
    isUnauthorized: (error) => error instanceof UnauthorizedErrorV1,
    connect: async () => {
      const client = new ClientV1({ name: 'app', version: '1' });
      // Its optional members are not exact.
      await client.connect(transport() as Parameters<typeof client.connect>[0]);
      return client;
    },
    finish: () => transport().finishAuth(authProvider.answer.get('code') ?? ''),
  });
};

export const v2: Sdk = (options) => {
  const authProvider = new MemoryProvider(options);
  const transport = () => new StreamableHTTPClientTransport(new URL(options.mcpUrl), { authProvider });
  return signIn(authProvider, {
    isUnauthorized: (error) => error instanceof UnauthorizedError,
    connect: async () => {
      const client = new Client({ name: 'app', version: '1' });
      await client.connect(transport());
      return client;
    },
    finish: () => transport().finishAuth(authProvider.answer),
  });
};

interface SdkParts {
  connect(): Promise<Client | ClientV1>;
  isUnauthorized(error: unknown): boolean;
  finish(): Promise<void>;
}

async function signIn(provider: MemoryProvider, { connect, isUnauthorized, finish }: SdkParts): Promise<SignedInApp> {
  const open = async () => {
    const opened = await connect();
    onTestFinished(() => opened.close());
    return opened;
  };
  let client = await open().catch((error) => {
    if (!isUnauthorized(error)) throw error;
    return finish().then(open);
  });
  return {
    provider,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    say: async (text) => {
      const { structuredContent } = await client.callTool({
        name: 'invoke_service',
        arguments: { action: 'echo__say', payload: { text } },
      });
      return structuredContent;
    },
    finishSignIn: async () => {
      await finish();
      client = await open();
    },
  };
}
