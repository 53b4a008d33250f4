/** Keys by the thousand, over HTTP: one admin key, and the service makes the rest. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type CreatedKey, type CreateKeyRequest, PATHS } from '../../src/protocol/http.ts';

const AT_A_TIME = 32;

/** Creates keys; returns them in the order of the requests. */
export async function createKeys(origin: string, adminKey: string, requests: CreateKeyRequest[]): Promise<CreatedKey[]> {
  const pool = new Pool(origin, { connections: AT_A_TIME });
  const keys: CreatedKey[] = [];
  const left = requests.entries();
  const createInTurn = async () => {
    for (const [place, request] of left) keys[place] = await createKey(pool, adminKey, request);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, createInTurn));
  await pool.close();
  return keys;
}

async function createKey(pool: Pool, adminKey: string, request: CreateKeyRequest): Promise<CreatedKey> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const answer = await pool.request({ path: PATHS.keys, method: 'POST', headers, body: JSON.stringify(request) });
  const text = await answer.body.text();
  if (answer.statusCode === 429) {
    // The service allows an admin key 6,000 changes a minute.
    await sleep(JSON.parse(text).retryAfterMs);
    return createKey(pool, adminKey, request);
  }
  if (answer.statusCode !== 201) throw new Error(`POST ${PATHS.keys} gave ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}
