/** The toolkits that the contract of the adapters uses, in TypeScript and in Python. */
import type { Toolkit } from 'svc-sdk';
import { PNG } from '../support/vectors';

export function defineWeather(toolkit: Toolkit): void {
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

export function defineShop(toolkit: Toolkit, amount: string, bought: string[]): void {
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

export function defineVault(toolkit: Toolkit): void {
  void toolkit.updateToolkit({ auth: { type: 'bearer', from: 'caller', help: 'A token of the vault' } });
  toolkit.action(
    {
      action: 'whose',
      actionDescription: 'Says whose account it is',
      payloadDescription: { door: { type: 'string', required: true } },
      annotations: { readOnly: true },
    },
    // The service would hide the token.
    ({ userId, connection }, { door }) => ({ userId, owner: connection?.token?.split('').reverse().join(''), door }),
  );
}

/** A schema with what converters through other schema libraries lose. */
export function defineSchemas(toolkit: Toolkit): void {
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

/** A run of `probe__hang`. */
export interface Hang {
  aborted: Promise<void>;
}

interface Probed {
  /** Gets the names that `probe__erase` has erased. */
  erased: string[];
  /** Called when the handler of `probe__hang` begins. */
  onHang(hang: Hang): void;
  /** The end of `probe__dig`. */
  dug: Promise<void>;
}

export function defineProbe(toolkit: Toolkit, { erased, onHang, dug }: Probed): void {
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
  toolkit.action({ action: 'dig', actionDescription: 'Digs for a long time', long: true }, async () => {
    await dug;
    return { found: 'gold' };
  });
  toolkit.action({ action: 'report', actionDescription: 'Reports progress' }, (ctx) => {
    ctx.progress({ progress: 1, total: 2, message: 'half' });
    ctx.progress({ progress: 2, total: 2 });
    return 'reported';
  });
  toolkit.action({ action: 'show', actionDescription: 'Shows a picture', annotations: { readOnly: true } }, (ctx) => {
    ctx.image(Buffer.from(PNG, 'base64'), 'image/png');
    // The bytes are not a PNG, and an API would refuse the conversation for such an image.
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
    onHang({ aborted });
    await aborted;
    throw ctx.signal.reason;
  });
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
