/**
 * One PostgreSQL for a whole run, started by the first test that asks for a database. Runs beside the tests, in the process that starts their workers.
 *
 * Protocol: any request to `postgresDoor` makes a new, empty database and answers with its URL, or with 500 and the reason.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { PostgresServer } from './postgres-server';

declare module 'vitest' {
  interface ProvidedContext {
    postgresDoor: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Projects inherit this setup, and what the root provides.
  if (!project.isRootProject()) return undefined;
  let server: Promise<PostgresServer> | undefined;
  const door = createServer(async (_, response) => {
    try {
      server ??= PostgresServer.start(['max_connections=300']);
      response.end(await (await server).newDatabase());
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.close();
    await (await server)?.stop();
  };
}
