/** A real service with the toolkits that the contract of the adapters uses, and a scripted model. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Toolkit, Tools, type ToolsOptions } from 'svc-sdk';
import { createService, type Service } from 'svc-service';
import { afterAll, onTestFinished, vi } from 'vitest';
import type { Conversation } from '../../service/scripted-model/conversation.ts';
import { type ScriptedModel, type Speaker, startScriptedModel } from '../../service/scripted-model/server.ts';
import type { ApprovalInfo, DecideRequest } from '../../src/protocol/approvals';
import type { Rule } from '../../src/protocol/rules';
import { makeFolder } from '../support/folder';
import { runToolkit } from '../support/service';
import { defineProbe, defineSchemas, defineShop, defineVault, defineWeather, type Hang } from './stage-toolkits';

export interface StageModel extends ScriptedModel {
  /** The requests to the model, one entry for each answer. */
  conversations: Conversation[];
  /** The bodies of its requests. */
  requests: string[];
}

export interface Stage {
  tools: Tools;
  /** The same as options. */
  connection: { apiKey: string; baseUrl: string };
  weather: Toolkit;
  probe: Toolkit;
  /** Names that `probe__erase` has erased. */
  erased: string[];
  /** The next run of `probe__hang`, once its handler has begun. */
  hanging(): Promise<Hang>;
  /** Every recorded call of its key. */
  records(): { action: string; code: string | null }[];
  revokeKey(): Promise<void>;
  /** A toolkit with a paid action, and a key with a budget. */
  shop(): Promise<Shop>;
  /** A key with rules, and the person who answers its questions. */
  ruled(rules: Rule[], options?: ToolsOptions): Promise<Ruled>;
  /** Ends `probe__dig`. */
  endDig(): void;
  /** A toolkit whose action `vault__whose` acts with the account of its caller, and returns user, token and payload. */
  vault(): Promise<void>;
  model(speak: Speaker): Promise<StageModel>;
}

interface Ruled {
  tools: Tools;
  /** The statuses of the key's questions, newest first. */
  statuses(): Promise<string[]>;
  /** Waits for the open question, and answers it. */
  decide(decision: DecideRequest): Promise<void>;
}

interface Shop {
  tools: Tools;
  connection: Stage['connection'];
  /** Every run of `shop__buy`, which costs 0.03 of its price. */
  bought: string[];
  /** Registers `shop__buy` with another price; 0.05 at first. */
  reprice(amount: string): Promise<void>;
}

/** A stage with its own service. Everything is closed when the test ends. */
export async function startStage(): Promise<Stage> {
  const house = await openHouse();
  onTestFinished(() => house.close());
  return openStage(house);
}

/** Returns a function that opens a stage for one test. All stages of the file share one service. */
export function stagesOfFile(): () => Promise<Stage> {
  let house: Promise<House> | undefined;
  afterAll(async () => (await house)?.close());
  return async () => {
    house ??= openHouse();
    return openStage(await house);
  };
}

/** A service for stages that follow each other. */
interface House extends Service {
  data: string;
  /** The key of a toolkit, the same at every call. */
  toolkitKey(name: string): Promise<string>;
}

async function openHouse(): Promise<House> {
  const folder = makeFolder();
  const service = await createService({ port: 0, data: folder.path });
  const keys = new Map<string, Promise<string>>();
  const createKey = async (name: string) => (await service.keys.create({ kind: 'toolkit', name })).key;
  return {
    ...service,
    data: folder.path,
    toolkitKey(name) {
      const key = keys.get(name) ?? createKey(name);
      keys.set(name, key);
      return key;
    },
    async close() {
      await service.close();
      folder.remove();
    },
  };
}

/** The agent key is new, so records and idempotency keys of other stages do not count; the toolkits end with the test. */
async function openStage(house: House): Promise<Stage> {
  const { id, key: apiKey } = await house.keys.create({ kind: 'agent', name: 'stage' });
  const connection = { apiKey, baseUrl: house.url };
  const erased: string[] = [];
  const hangs = new Queue<Hang>();
  const dig = Promise.withResolvers<void>();
  const run = async (name: string, define: (toolkit: Toolkit) => void) => runToolkit(house.url, await house.toolkitKey(name), define);

  const weather = await run('weather', defineWeather);
  await run('schemas', defineSchemas);
  const probe = await run('probe', (toolkit) => defineProbe(toolkit, { erased, onHang: (hang) => hangs.push(hang), dug: dig.promise }));

  return {
    tools: new Tools(connection),
    connection,
    weather,
    probe,
    erased,
    hanging: () => hangs.next(),
    records: () => readRecords(house.data, id),
    revokeKey: () => house.keys.revoke(id),
    async shop() {
      const bought: string[] = [];
      const open = (amount: string) => run('shop', (toolkit) => defineShop(toolkit, amount, bought));
      let running = await open('0.05');
      const budget = { perCall: '10', perDay: '100' };
      const payer = await house.keys.create({ kind: 'agent', name: 'payer', budget });
      const ofPayer = { apiKey: payer.key, baseUrl: house.url };
      return {
        tools: new Tools(ofPayer),
        connection: ofPayer,
        bought,
        async reprice(amount) {
          await running.stop();
          running = await open(amount);
        },
      };
    },
    async ruled(rules, options) {
      const { id: ruledId, key } = await house.keys.create({ kind: 'agent', name: 'ruled', rules });
      const { key: adminKey } = await house.keys.create({ kind: 'admin', name: 'person' });
      const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
        const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
        const response = await fetch(`${house.url}/v1/approvals${path}`, { ...init, headers });
        return (await response.json()) as T;
      };
      const list = async () => (await ask<{ approvals: ApprovalInfo[] }>(`?key=${ruledId}`)).approvals;
      return {
        tools: new Tools({ apiKey: key, baseUrl: house.url, ...options }),
        statuses: async () => (await list()).map(({ status }) => status),
        async decide(decision) {
          const open = await vi.waitUntil(async () => (await list()).find(({ status }) => status === 'pending'), { timeout: 30_000 });
          await ask(`/${open.id}`, { method: 'POST', body: JSON.stringify(decision) });
        },
      };
    },
    endDig: () => dig.resolve(),
    async vault() {
      await run('vault', defineVault);
    },
    async model(speak) {
      const conversations: Conversation[] = [];
      const requests: string[] = [];
      const model = await startScriptedModel({
        onRequest: (body) => requests.push(body),
        speak(conversation) {
          conversations.push(conversation);
          return speak(conversation);
        },
      });
      onTestFinished(() => model.close());
      return { ...model, conversations, requests };
    },
  };
}

function readRecords(data: string, keyId: string): { action: string; code: string | null }[] {
  const database = new DatabaseSync(join(data, 'svc.sqlite'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT action, code FROM invocations WHERE agent_key_id = ?').all(keyId);
    return rows.map(({ action, code }) => ({ action: String(action), code: code === null ? null : String(code) }));
  } finally {
    database.close();
  }
}

/** A queue for values that tests await in order. */
class Queue<Item> {
  readonly #items: Item[] = [];
  #wake = () => {};

  push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  async next(): Promise<Item> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
