/** An app on this computer that a person connects in a browser: a client with a server that waits for the answer. */
import { createServer } from 'node:http';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { listening } from '../../../test/support/listening';
import { OAuthClient } from './oauth-client';

export interface LoopbackApp {
  client: OAuthClient;
  /** The queries of all answers that came to its redirect address. */
  answers: readonly URLSearchParams[];
  /** The address of the consent page with its request. A parameter with undefined is left out. */
  authorizePath(changed?: Record<string, string | undefined>): string;
}

/** Registers at the service, and listens until the test ends. */
export async function startLoopbackApp(service: { url: string }, name = 'Notes'): Promise<LoopbackApp> {
  const answers: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/callback') answers.push(searchParams);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Notes</title><h1>Back in the app</h1>');
  });
  const redirect = `${await listening(server)}/callback`;
  const client = await OAuthClient.register(service.url, { client_name: name, redirect_uris: [redirect] });
  return { client, answers, authorizePath: (changed) => `${OAUTH_PATHS.authorize}?${client.query(changed)}` };
}
