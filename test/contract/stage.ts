/** A real service with the toolkits that the contract of the adapters uses, and a scripted model. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Toolkit, Tools } from 'svc-sdk';
import { createService, type Service } from 'svc-sdk/service';
import { afterAll, onTestFinished } from 'vitest';
import type { Conversation } from '../../src/scripted-model/conversation.ts';
import { type ScriptedModel, type Speaker, startScriptedModel } from '../../src/scripted-model/server.ts';
import { makeFolder } from '../support/folder';
import { runToolkit } from '../support/service';
import { PNG } from '../support/vectors';

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
  hanging(): Promise<{ aborted: Promise<void> }>;
  /** Every recorded call of its key. */
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

/** A stage on a service of its own; everything ends with the test. */
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
  const hangs = new Queue<{ aborted: Promise<void> }>();
  const run = async (name: string, define: (toolkit: Toolkit) => void) => runToolkit(house.url, await house.toolkitKey(name), define);

  const weather = await run('weather', defineWeather);
  await run('schemas', defineSchemas);
  const probe = await run('probe', (toolkit) => {
    defineProbe(toolkit);
    toolkit.action(
      {
        action: 'erase',
        actionDescription: 'Erases a file for ever',
        payloadDescription: { name: { type: 'string', required: true } },
        annotations: { destructive: true },
      },
      (_ctx, { name }) => {
        erased.push(String(name));
        return { erased: name };
      },
    );
    toolkit.action({ action: 'hang', actionDescription: 'Waits until it is cancelled' }, async (ctx) => {
      const aborted = new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()));
      hangs.push({ aborted });
      await aborted;
      throw ctx.signal.reason;
    });
  });

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

function defineWeather(toolkit: Toolkit): void {
  toolkit.action(
    {
      action: 'today',
      actionDescription: "Today's weather in a city",
      payloadDescription: { city: { type: 'string', description: 'Name of the city', required: true } },
      annotations: { readOnly: true },
    },
    (ctx, { city }) => {
      if (city === 'Atlantis') return ctx.error('CITY_UNKNOWN', 'Atlantis has no weather station');
      return { city, celsius: 21 };
    },
  );
}

function defineShop(toolkit: Toolkit, amount: string, bought: string[]): void {
  toolkit.action(
    {
      action: 'buy',
      actionDescription: 'Buys a thing in the shop',
      payloadDescription: { thing: { type: 'string', required: true } },
      payment: { amount },
    },
    (ctx, { thing }) => {
      bought.push(String(thing));
      ctx.charge('0.03');
      return { bought: thing };
    },
  );
}

/** A schema with what converters through other schema libraries lose. */
function defineSchemas(toolkit: Toolkit): void {
  toolkit.action(
    {
      action: 'nested',
      actionDescription: 'Gives back its payload',
      payloadDescription: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          where: { $ref: '#/$defs/point' },
          tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, minItems: 1, uniqueItems: true },
          when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], default: null, examples: ['2026-03-10'] },
        },
        required: ['where'],
        additionalProperties: false,
        $defs: { point: { type: 'object', properties: { x: { type: 'number' }, y: { type: ['number', 'null'] } }, required: ['x'] } },
      },
    },
    (_ctx, payload) => payload,
  );
}

function defineProbe(toolkit: Toolkit): void {
  let count = 0;
  let waiting: (() => void)[] = [];
  toolkit.action({ action: 'count', actionDescription: 'Counts its runs' }, () => {
    count += 1;
    return { count };
  });
  toolkit.action(
    { action: 'meet', actionDescription: 'Waits for others', payloadDescription: { name: { type: 'string' }, of: { type: 'integer' } } },
    async (_ctx, { name, of }) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < Number(of)) return;
        for (const go of waiting) go();
        waiting = [];
      });
      return { name, met: of };
    },
  );
  toolkit.action({ action: 'report', actionDescription: 'Reports progress' }, (ctx) => {
    ctx.progress({ progress: 1, total: 2, message: 'half' });
    ctx.progress({ progress: 2, total: 2 });
    return 'reported';
  });
  toolkit.action({ action: 'show', actionDescription: 'Shows a picture' }, (ctx) => {
    ctx.image(Buffer.from(PNG, 'base64'), 'image/png');
    // What it is not: an API would refuse the conversation for it.
    ctx.image(Buffer.from('<svg/>'), 'image/png');
    ctx.file('a,b', 'text/csv', 'table.csv');
    ctx.link('https://example.com/a.png');
    return { width: 1 };
  });
  toolkit.action(
    { action: 'give', actionDescription: 'Gives back something odd', payloadDescription: { kind: { type: 'string' } } },
    (_ctx, { kind }) => ODDITIES[String(kind)]?.(),
  );
  toolkit.action(
    { action: 'measure', actionDescription: 'Measures a text', payloadDescription: { text: { type: 'string' } } },
    (_ctx, { text }) => ({ characters: String(text).length }),
  );
}

const ODDITIES: Record<string, () => unknown> = {
  odd() {
    const circle: Record<string, unknown> = { big: 12345678901234567890n, date: new Date(Date.UTC(2026, 2, 10)), kept: [undefined, 1] };
    circle.itself = circle;
    circle.bytes = new Uint8Array([1, 2]);
    circle.lost = undefined;
    return circle;
  },
  nothing: () => null,
  blocks: () => [{ type: 'text', text: 'not content' }],
  number: () => 7,
  empty: () => '',
  long: () => 'x'.repeat(20_000),
};

function readRecords(data: string, keyId: string): { action: string; code: string | null }[] {
  const database = new DatabaseSync(join(data, 'svc.sqlite'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT action, code FROM invocations WHERE agent_key_id = ?').all(keyId);
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
