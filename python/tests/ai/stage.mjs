/**
 * The service, toolkits and scripted models for the contract of the adapters in Python, in one process.
 *
 * Shape: each line of stdin is a request, `{do, …}`; each line of stdout is its answer. The process ends with its stdin.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { Toolkit } from 'svc-sdk';
import { createService } from 'svc-service';
import { startScriptedModel } from '../../../service/scripted-model/server.ts';
import { defineProbe, defineSchemas, defineShop, defineVault, defineWeather } from '../../../test/contract/stage-toolkits.ts';

const data = mkdtempSync(join(tmpdir(), 'svc-ai-'));
const service = await createService({ port: 0, data });
const keyIds = new Map();
const models = new Map();
const erased = [];
const bought = [];
const hangs = { begun: 0, aborted: 0 };

async function createKey(request) {
  const { id, key } = await service.keys.create(request);
  keyIds.set(key, id);
  return key;
}

async function startToolkit(apiKey, define) {
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey });
  define(toolkit);
  toolkit.run();
  await toolkit.ready;
  return toolkit;
}

const toolkitKey = (name) => createKey({ kind: 'toolkit', name });
const weatherKey = await toolkitKey('weather');
const shopKey = await toolkitKey('shop');
let weather = await startToolkit(weatherKey, defineWeather);
let shop = await startToolkit(shopKey, (toolkit) => defineShop(toolkit, '0.05', bought));
await startToolkit(await toolkitKey('schemas'), defineSchemas);
await startToolkit(await toolkitKey('vault'), defineVault);
await startToolkit(await toolkitKey('probe'), (toolkit) =>
  defineProbe(toolkit, {
    erased,
    onHang({ aborted }) {
      hangs.begun += 1;
      void aborted.then(() => {
        hangs.aborted += 1;
      });
    },
  }),
);

const REQUESTS = {
  url: () => service.url,
  createKey: ({ budget }) => createKey({ kind: 'agent', name: 'stage', budget }),
  revokeKey: ({ key }) => service.keys.revoke(keyIds.get(key)),
  /** One turn of the model is a list of calls; then it says this. */
  async openModel({ turns, says }) {
    const conversations = [];
    const requests = [];
    const model = await startScriptedModel({
      onRequest: (body) => requests.push(body),
      speak(conversation) {
        conversations.push(conversation);
        const calls = turns[conversation.turns.length];
        return calls === undefined ? { content: says } : { calls };
      },
    });
    models.set(model.origin, { model, conversations, requests });
    return { origin: model.origin, baseUrl: model.baseURL };
  },
  async closeModel({ origin }) {
    const { model, conversations, requests } = models.get(origin);
    models.delete(origin);
    await model.close();
    return { conversation: conversations.at(-1), requests };
  },
  async stopWeather() {
    await weather.stop();
  },
  async startWeather() {
    weather = await startToolkit(weatherKey, defineWeather);
  },
  async reprice({ amount }) {
    await shop.stop();
    shop = await startToolkit(shopKey, (toolkit) => defineShop(toolkit, amount, bought));
  },
  /** What handlers have done since the last reset. */
  state: () => ({ erased, bought, hangs, records: readRecords() }),
  reset() {
    erased.length = 0;
    bought.length = 0;
    hangs.begun = 0;
    hangs.aborted = 0;
  },
};

function readRecords() {
  const database = new DatabaseSync(join(data, 'svc.sqlite'), { readOnly: true });
  try {
    return database.prepare('SELECT action, code FROM invocations').all();
  } finally {
    database.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify((await REQUESTS[request.do](request)) ?? null));
}
await service.close();
rmSync(data, { recursive: true, force: true });
process.exit(0);
