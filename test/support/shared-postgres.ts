/**
 * One PostgreSQL for a whole run, started by the first test that needs a database. Runs beside the tests, in the process that starts their workers.
 *
 * Protocol: a request to `/store` or `/empty` at `postgresDoor` makes a new database, with the tables of a store or without, and answers with its URL;
 * one to `/data` answers with the path of data for a separate server to copy. Errors: 500 with the reason.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { PostgresData, PostgresServer } from './postgres-server';

declare module 'vitest' {
  interface ProvidedContext {
    postgresDoor: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Projects inherit this setup, and what the root provides.
  if (!project.isRootProject()) return undefined;
  let data: Promise<PostgresData> | undefined;
  let server: Promise<PostgresServer> | undefined;
  const dataPath = async () => {
    data ??= PostgresData.make();
    return (await data).path;
  };
  const started = () => {
    server ??= dataPath().then((path) => PostgresServer.start(['max_connections=300'], path));
    return server;
  };
  const answers: Record<string, () => Promise<string>> = {
    '/data': dataPath,
    '/empty': async () => (await started()).emptyDatabase(),
    '/store': async () => (await started()).newDatabase(),
  };
  const door = createServer(async ({ url }, response) => {
    // A connection that idles until its timeout may close just when the next test writes to it.
    response.shouldKeepAlive = false;
    try {
      response.end(await answers[url ?? '']?.());
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.close();
    await (await server)?.stop();
    (await data)?.remove();
  };
}
