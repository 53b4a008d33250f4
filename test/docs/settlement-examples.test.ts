/** The programs of `examples/settlement/`, in processes that are killed, on fakes with the wire format of the payment services. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openKeys } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toUnits } from '../../examples/settlement/units.ts';
import { startFakeFacilitator } from '../support/fake-facilitator';
import { startFakeStripe } from '../support/fake-stripe';
import { makeFolder } from '../support/folder';
import { AGENT, buy, sellAtMost5Cents } from '../support/paid-shop';
import { startProcess } from '../support/processes';
import { runToolkit } from '../support/service';

const CUSTOMER = { stripe: 'cus_NciAYcXfLnqBoz', x402: '0x857b06519E91e3A54538791bDbb0E22373e36b66' };
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

async function makeShop(customer: string) {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const keys = await openKeys(path);
  const { key: toolkitKey } = await keys.create({ kind: 'toolkit', name: 'shop' });
  const agent = await keys.create(AGENT);
  await keys.close();
  const customers = join(path, 'customers.json');
  const addCustomer = () => writeFileSync(customers, JSON.stringify({ [agent.id]: customer }));
  addCustomer();
  return { data: path, toolkitKey, agent, customers, addCustomer };
}

async function start(example: string, data: string, env: Record<string, string>, port = 0) {
  const program = fileURLToPath(new URL(`../../examples/settlement/${example}.ts`, import.meta.url));
  const child = startProcess(process.execPath, [program], { env: { SVC_DATA: data, PORT: String(port), ...env } });
  onTestFinished(() => child.kill('SIGKILL'));
  const [, url = ''] = await child.printed(/listens on (http:\S+)/);
  const kill = async () => {
    child.kill('SIGKILL');
    await child.ended;
  };
  return { url, port: Number(new URL(url).port), kill, child };
}

describe('stripe.ts', () => {
  async function setUp() {
    const shop = await makeShop(CUSTOMER.stripe);
    const stripe = await startFakeStripe('sk_test_1');
    const env = { STRIPE_API_KEY: 'sk_test_1', STRIPE_METER: 'svc_charges', STRIPE_API_BASE: stripe.url, CUSTOMERS: shop.customers };
    return { ...shop, stripe, env };
  }

  test('every charge is counted once, through errors, a lost answer, kill -9 and a restart', async () => {
    const { data, env, stripe, toolkitKey, agent } = await setUp();
    const first = await start('stripe', data, env);
    await runToolkit(first.url, toolkitKey, sellAtMost5Cents);
    stripe.faults.push('429', '500', 'lost');
    const ids = await buy(first, agent.key, ['0.03', '0.000001', '0.05']);
    await vi.waitFor(() => expect(stripe.requests).toHaveLength(3));
    expect(stripe.events.map(({ identifier }) => identifier)).toEqual(ids.slice(0, 1));
    await first.kill();

    const second = await start('stripe', data, env, first.port);
    await vi.waitFor(() => expect(stripe.events).toHaveLength(3));
    expect(stripe.events.map(({ identifier, payload }) => [identifier, payload.value])).toEqual([
      [ids[0], '30000'],
      [ids[1], '1'],
      [ids[2], '50000'],
    ]);
    expect(stripe.events[0]).toMatchObject({ event_name: 'svc_charges', payload: { stripe_customer_id: CUSTOMER.stripe } });
    // Each repetition has the identifier of its entry, and nothing overtook it.
    expect([...new Set(stripe.requests)]).toEqual(ids);
    expect(stripe.requests.slice(0, 4)).toEqual(Array(4).fill(ids[0]));
    second.child.kill('SIGTERM');
    expect(await second.child.ended).toMatchObject({ code: 0 });
  });

  test('a key without a customer waits until a customer is added', async () => {
    const { data, env, stripe, toolkitKey, agent, customers, addCustomer } = await setUp();
    writeFileSync(customers, '{}');
    const { url } = await start('stripe', data, env);
    await runToolkit(url, toolkitKey, sellAtMost5Cents);
    const ids = await buy({ url }, agent.key, ['0.03', '0.01']);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(stripe.requests).toEqual([]);
    addCustomer();
    await vi.waitFor(() => expect(stripe.events.map(({ identifier }) => identifier)).toEqual(ids));
  });
});

describe('x402.ts', () => {
  test.each([true, false])(
    'every charge is paid once, through errors, a lost answer, kill -9 and a restart; identifiers: %s',
    async (remembers) => {
      const { data, toolkitKey, agent, customers } = await makeShop(CUSTOMER.x402);
      const facilitator = await startFakeFacilitator({ remembers });
      const env = { FACILITATOR_URL: facilitator.settleUrl, WALLET_RPC_URL: facilitator.rpcUrl, PAY_TO, CUSTOMERS: customers };
      const first = await start('x402', data, env);
      await runToolkit(first.url, toolkitKey, sellAtMost5Cents);
      facilitator.faults.push('unexpected', '500', 'lost');
      const ids = await buy(first, agent.key, ['0.03', '0.000001', '0.05']);
      await vi.waitFor(() => expect(facilitator.transfers).toHaveLength(1));
      await first.kill();

      await start('x402', data, env, first.port);
      await vi.waitFor(() => expect(facilitator.transfers).toHaveLength(3));
      expect(facilitator.transfers).toMatchObject(['30000', '1', '50000'].map((value) => ({ from: CUSTOMER.x402, to: PAY_TO, value })));
      expect([...new Set(facilitator.requests)]).toEqual(ids);
      // The payment of a retry is the first one, byte by byte, also after the restart.
      expect(new Set(facilitator.payloads).size).toBe(3);
      expect(facilitator.requests.length).toBeGreaterThan(3);
    },
    40_000,
  );
});

test.each([
  ['0.05', 6, 50_000n],
  ['1.001', 6, 1_001_000n],
  ['999999999999.999999', 6, 999_999_999_999_999_999n],
  ['7', 2, 700n],
  ['0.10', 1, 1n],
  ['3', 18, 3_000_000_000_000_000_000n],
])('%s with %i decimals is %i units', (amount, decimals, units) => {
  expect(toUnits(amount, decimals)).toBe(units);
});

test('an amount that is finer than its unit is refused, not rounded', () => {
  expect(() => toUnits('0.005', 2)).toThrow('0.005 has more than 2 decimals');
});
