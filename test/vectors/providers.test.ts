import { expect, test } from 'vitest';
import { findModelServer, PROVIDERS } from '../../src/agent/model/providers';
import { vector } from '../support/vectors';

interface Case {
  id: string;
  env: Record<string, string>;
  url?: string;
  keyVariable?: string | null;
  key?: string | null;
  model?: string;
  error?: string[];
}

const { providers, cases } = vector<{ providers: object; cases: Case[] }>('providers');

test('the table of providers', () => {
  expect(PROVIDERS).toEqual(providers);
});

test.each(cases.filter(({ error }) => !error))('$id with $env', ({ id, env, url, keyVariable, key, model }) => {
  const server = findModelServer(id, env);
  expect({ url: server.url, keyVariable: server.keyVariable ?? null, key: server.key ?? null, model: server.model }).toEqual({
    url,
    keyVariable,
    key,
    model,
  });
});

test.each(cases.filter(({ error }) => error))('$id with $env is refused', ({ id, env, error = [] }) => {
  let message = '';
  try {
    findModelServer(id, env);
  } catch (thrown) {
    message = (thrown as Error).message;
  }
  for (const words of error) expect(message).toContain(words);
  expect(message).not.toMatch(/two|secret/);
});
