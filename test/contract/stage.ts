/** A real service with the toolkits that the contract of the adapters uses, and a scripted model; everything ends with the test. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Toolkit, Tools } from 'svc-sdk';
import { onTestFinished } from 'vitest';
import type { Conversation } from '../../src/scripted-model/conversation.ts';
import { type ScriptedModel, type Speaker, startScriptedModel } from '../../src/scripted-model/server.ts';
import { makeFolder } from '../support/folder';
import { runToolkit, startService } from '../support/service';
import { defineProbe, defineSchemas, defineShop, defineWeather, type Hang } from './stage-toolkits';

export interface StageModel extends ScriptedModel {
  /** What the model was shown, one entry for every time that it spoke. */
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
  /** Every call that the service has recorded. */
  records(): { action: string; code: string | null }[];
  revokeKey(): Promise<void>;
  /** A toolkit with a paid action, and a key with a budget. */
  shop(): Promise<Shop>;
  model(speak: Speaker): Promise<StageModel>;
}

interface Shop {
  tools: Tools;
  connection: Stage['connection'];
  /** Every run of `shop__buy`, which costs 0.03 of its price. */
  bought: string[];
  /** Registers `shop__buy` with another price; 0.05 at first. */
  reprice(amount: string): Promise<void>;
}

export async function startStage(): Promise<Stage> {
  const folder = makeFolder();
  onTestFinished(() => folder.remove());
  const service = await startService({ data: folder.path });
  const { id, key: apiKey } = await service.keys.create({ kind: 'agent', name: 'stage' });
  const connection = { apiKey, baseUrl: service.url };
  const erased: string[] = [];
  const hangs = new Queue<Hang>();

  const weather = await service.toolkit('weather', defineWeather);
  await service.toolkit('schemas', defineSchemas);
  const probe = await service.toolkit('probe', (toolkit) => defineProbe(toolkit, { erased, onHang: (hang) => hangs.push(hang) }));

  return {
    tools: await service.tools({ apiKey }),
    connection,
    weather,
    probe,
    erased,
    hanging: () => hangs.next(),
    records: () => readRecords(folder.path),
    revokeKey: () => service.keys.revoke(id),
    async shop() {
      const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
      const bought: string[] = [];
      const open = (amount: string) => runToolkit(service.url, key, (toolkit) => defineShop(toolkit, amount, bought));
      let running = await open('0.05');
      const budget = { perCall: '10', perDay: '100' };
      const payer = await service.keys.create({ kind: 'agent', name: 'payer', budget });
      const ofPayer = { apiKey: payer.key, baseUrl: service.url };
      return {
        tools: await service.tools(ofPayer),
        connection: ofPayer,
        bought,
        async reprice(amount) {
          await running.stop();
          running = await open(amount);
        },
      };
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

function readRecords(data: string): { action: string; code: string | null }[] {
  const database = new DatabaseSync(join(data, 'svc.sqlite'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT action, code FROM invocations').all();
    return rows.map(({ action, code }) => ({ action: String(action), code: code === null ? null : String(code) }));
  } finally {
    database.close();
  }
}

/** What comes, in its order, for those who wait. */
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
