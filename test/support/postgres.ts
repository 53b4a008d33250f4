import { afterAll } from 'vitest';
import { PostgresServer } from './postgres-server';

/** A server for the tests of a file: to be called at its top. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const server = await PostgresServer.start(settings);
  afterAll(() => server.stop());
  return server;
}
