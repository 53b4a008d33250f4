import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { PostgresServer } from './postgres-server';

/** The URL of an empty database on the PostgreSQL of this run. */
export async function newDatabase(): Promise<string> {
  const answer = await fetch(inject('postgresDoor'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** A server of its own for a test that ends or freezes it. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await PostgresServer.start();
  onTestFinished(() => server.stop());
  return server;
}

/** Starts a separate server for a file of tests that end or freeze the server, or change its roles. */
export function ownPostgres(): { readonly server: PostgresServer } {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());
  return {
    get server() {
      if (!server) throw new Error('PostgreSQL starts with the first test');
      return server;
    },
  };
}
