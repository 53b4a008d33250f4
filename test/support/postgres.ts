import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { PostgresServer } from './postgres-server';

/** The URL of a new database on the PostgreSQL of this run, with the tables of a store and nothing in them. */
export function newDatabase(): Promise<string> {
  return ask('/store');
}

/** The URL of an empty one. */
export function emptyDatabase(): Promise<string> {
  return ask('/empty');
}

async function ask(path: '/store' | '/empty' | '/data'): Promise<string> {
  const answer = await fetch(inject('postgresDoor') + path);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** A separate server for a test that ends or freezes it. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await PostgresServer.start([], await ask('/data'));
  onTestFinished(() => server.stop());
  return server;
}

/** Starts a separate server for a file of tests that end or freeze the server, or change its roles. */
export function ownPostgres(): { readonly server: PostgresServer } {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await PostgresServer.start([], await ask('/data'));
  });
  afterAll(() => server?.stop());
  return {
    get server() {
      if (!server) throw new Error('PostgreSQL starts with the first test');
      return server;
    },
  };
}
