/** The keys that find paid actions, and the prices in their answers, for every route to the catalogue. docs/protocol.md sections 4 and 5. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { SearchResponse } from 'svc-sdk';
import type { CreateKeyRequest } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { type ActionsPage, type CreatedKey, type CreatedToken, type ExplainResponse, PATHS, type ToolkitsPage } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { runToolkit } from '../../../test/support/service';

const BUDGET = { perCall: '0.10', perDay: '5' };
const PRICE = { amount: '0.05', currency: 'EUR' };

/** A shop with a free and two paid actions, a bank with paid ones alone, and keys with and without a budget. */
async function startShop() {
  const service = await startConsole({ currency: 'EUR' });
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'find_books', actionDescription: 'Finds books; buy_book buys one' }, () => []);
    shop.action({ action: 'buy_book', actionDescription: 'Buys a book', payment: { amount: '0.05' } }, () => 'bought');
    shop.action(
      { action: 'buy_library', actionDescription: 'Buys all books', payment: { amount: '1000', currency: 'EUR' } },
      () => 'bought',
    );
    shop.action({ action: 'sell_book', actionDescription: 'Sells a book', payment: { amount: '0.000' } }, () => 'sold');
  });
  const bank = await service.keys.create({ kind: 'toolkit', name: 'bank' });
  const toolkit = await runToolkit(service.url, bank.key, (it) => {
    it.action({ action: 'send_money', actionDescription: 'Sends money', payment: { amount: '0.10' } }, () => 'sent');
  });
  const keyOf = (request: Partial<CreateKeyRequest> = {}): Promise<CreatedKey> =>
    service.keys.create({ kind: 'agent', name: 'agent', ...request });
  const [poor, rich] = [await keyOf(), await keyOf({ budget: BUDGET })];
  return { service, toolkit, keyOf, poor, rich, asPoor: service.as(poor.key), asRich: service.as(rich.key) };
}

async function search(asker: Asker, query: string, path: string = PATHS.search): Promise<SearchResponse> {
  return asker.json<SearchResponse>('POST', path, { query, limit: 10 });
}

async function found(asker: Asker, query: string, path?: string): Promise<string[]> {
  const { actions, more = [], offline = [] } = await search(asker, query, path);
  return [...actions.map(({ action }) => action), ...more.map(({ action }) => action), ...offline].sort();
}

test('a search shows prices to a key with a budget; one without finds free actions alone, also those that another one mentions', async () => {
  const { service, toolkit, asPoor, asRich, poor } = await startShop();
  const { actions } = await search(asRich, 'buy book');
  const prices = Object.fromEntries(actions.map(({ action, payment }) => [action, payment]));
  expect(prices).toEqual({
    shop__buy_book: PRICE,
    shop__buy_library: { amount: '1000', currency: 'EUR' },
    shop__sell_book: undefined,
    shop__find_books: undefined,
  });
  // Free actions have no member for a price, which would cost tokens.
  expect(actions.filter((action) => 'payment' in action)).toHaveLength(2);
  expect(await found(asRich, 'money')).toEqual(['bank__send_money']);

  expect(await found(asPoor, 'buy book')).toEqual(['shop__find_books', 'shop__sell_book']);
  expect(await found(asPoor, 'finds')).toEqual(['shop__find_books']);
  for (const query of ['money', 'bank__send_money', 'bank']) expect(await found(asPoor, query)).toEqual([]);
  expect((await search(asPoor, 'bank__send_money')).hint).toContain('There is no action bank__send_money that you can use now');
  expect(await found(service.owner, 'buy book', `${PATHS.keys}/${poor.id}/search`)).toEqual(['shop__find_books', 'shop__sell_book']);

  await toolkit.stop();
  await expect.poll(() => found(asRich, 'bank__send_money')).toEqual(['bank__send_money']);
  expect(await found(asPoor, 'bank__send_money')).toEqual([]);
});

test('the price of an action is in all forms of it, and counts for the tokens of an answer', async () => {
  const { service, asRich } = await startShop();
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`field_${i}`, { type: 'string', description: `Field number ${i}: ${'words '.repeat(15)}end` }]),
  );
  await service.toolkit('post', (post) => {
    for (let i = 0; i < 30; i++) {
      const payloadDescription =
        i === 0 ? { type: 'object', properties } : { to: { type: 'string', description: 'Address', required: true } };
      const actionDescription = i === 0 ? `Sends telegrams. ${'It is fast. '.repeat(80)}` : `Sends mail of kind ${i}`;
      post.action({ action: `mail_${i}`, actionDescription, payloadDescription, payment: { amount: `0.00${i + 1}` } }, () => 'sent');
    }
  });
  for (const maxTokens of [100, 300, 600, 1_200, 20_000]) {
    const answer = await asRich.json<SearchResponse>('POST', PATHS.search, { query: 'send mail', limit: 30, maxTokens });
    expect(encode(JSON.stringify(answer)).length).toBeLessThanOrEqual(maxTokens);
    expect(answer.actions.length).toBeGreaterThan(0);
    for (const action of answer.actions) expect(action.payment).toEqual({ amount: expect.any(String), currency: 'EUR' });
    const telegram = await asRich.json<SearchResponse>('POST', PATHS.search, { query: 'telegrams', limit: 1, maxTokens });
    expect(telegram.actions).toMatchObject([{ action: 'post__mail_0', payment: { amount: '0.001', currency: 'EUR' } }]);
  }
});

test('a budget that is given or taken away counts from the next request on, and for agent tokens too', async () => {
  const { service, poor, asPoor } = await startShop();
  const { token } = await asPoor.json<CreatedToken>('POST', PATHS.tokens, { ttlSeconds: 60 });
  expect(await found(service.as(token), 'money')).toEqual([]);
  await service.owner.json('PATCH', `${PATHS.keys}/${poor.id}`, { budget: BUDGET });
  expect(await found(asPoor, 'money')).toEqual(['bank__send_money']);
  expect(await found(service.as(token), 'money')).toEqual(['bank__send_money']);
  await service.keys.change(poor.id, { budget: null });
  expect(await found(asPoor, 'money')).toEqual([]);
  expect(await found(service.as(token), 'money')).toEqual([]);
});

test('the catalogue lists paid actions and their toolkits for a key with a budget alone; by id they are PAYMENT_REQUIRED', async () => {
  const { asPoor, asRich } = await startShop();
  const ids = async (asker: Asker, query = '') => {
    const { actions } = await asker.json<ActionsPage>('GET', `${PATHS.actions}${query}`);
    return actions.map(({ action }) => action);
  };
  const toolkits = async (asker: Asker) => {
    const page = await asker.json<ToolkitsPage>('GET', PATHS.toolkits);
    return page.toolkits.map(({ id }) => id);
  };
  expect(await ids(asRich)).toEqual(['bank__send_money', 'shop__buy_book', 'shop__buy_library', 'shop__find_books', 'shop__sell_book']);
  expect(await ids(asRich, '?ids=shop__buy_book')).toEqual(['shop__buy_book']);
  expect(await asRich.json('GET', `${PATHS.actions}/shop__buy_book`)).toMatchObject({ payment: PRICE });
  expect(await toolkits(asRich)).toEqual(['bank', 'shop']);

  expect(await ids(asPoor)).toEqual(['shop__find_books', 'shop__sell_book']);
  expect(await ids(asPoor, '?toolkit=shop')).toEqual(['shop__find_books', 'shop__sell_book']);
  expect(await toolkits(asPoor)).toEqual(['shop']);
  for (const path of [`${PATHS.toolkits}/bank`, `${PATHS.actions}?toolkit=bank`])
    await expect(asPoor.json('GET', path)).rejects.toMatchObject({ code: 'TOOLKIT_NOT_FOUND' });
  const refusal = {
    code: 'PAYMENT_REQUIRED',
    retryable: false,
    message: expect.stringMatching(/^"shop__buy_book" may cost 0\.05 EUR, and this key has no budget: ask /),
    details: { payment: { price: '0.05', currency: 'EUR' } },
  };
  for (const path of [`${PATHS.actions}/shop__buy_book`, `${PATHS.actions}?ids=shop__find_books,shop__buy_book`])
    await expect(asPoor.json('GET', path)).rejects.toMatchObject(refusal);
});

test('resolve shows the price, and refuses as the call would; suggestions name no paid action to a key without a budget', async () => {
  const { asPoor, asRich } = await startShop();
  expect(await asRich.json('POST', PATHS.resolve, { action: 'shop__buy_book' })).toMatchObject({ action: { payment: PRICE } });
  await expect(asRich.json('POST', PATHS.resolve, { action: 'shop__buy_library' })).rejects.toMatchObject({
    code: 'PAYMENT_REQUIRED',
    details: { payment: { price: '1000', currency: 'EUR' } },
  });
  for (const path of [PATHS.resolve, PATHS.invoke]) {
    await expect(asPoor.json('POST', path, { action: 'shop__buy_book' })).rejects.toMatchObject({
      code: 'PAYMENT_REQUIRED',
      message: expect.stringContaining('this key has no budget'),
      details: { payment: { price: '0.05', currency: 'EUR' } },
    });
    await expect(asRich.json('POST', path, { action: 'shop__buy_bok' })).rejects.toMatchObject({
      details: { didYouMean: expect.arrayContaining(['shop__buy_book']) },
    });
    const suggested = await asPoor.json('POST', path, { action: 'shop__buy_bok' }).catch((error) => error.details.didYouMean ?? []);
    expect(suggested).not.toContain('shop__buy_book');
  }
  const suggested = await asPoor.json('GET', `${PATHS.actions}/shop__buy_bok`).catch((error) => error.details.didYouMean ?? []);
  expect(suggested).not.toContain('shop__buy_book');
});

test('explain gives the owner of a key the reason for a missing paid action, and ranks only actions that the key finds', async () => {
  const { asPoor, asRich, service } = await startShop();
  const explain = (asker: Asker, action: string) => asker.json<ExplainResponse>('POST', PATHS.explain, { query: 'book', action });
  expect(await explain(asPoor, 'shop__buy_book')).toEqual({
    action: 'shop__buy_book',
    found: false,
    rank: null,
    allowed: false,
    online: false,
    reason: expect.stringMatching(/^It is a paid action and this key has no budget, so no search with this key returns it; ask /),
    score: 0,
    features: [],
    terms: [],
    missing: [],
    usage: 0,
    outrankedBy: [],
  });
  expect(await explain(asRich, 'shop__buy_book')).toMatchObject({ found: true, allowed: true });
  const { outrankedBy } = await explain(asPoor, 'shop__find_books');
  expect(outrankedBy.map(({ action }) => action)).not.toContain('shop__buy_book');

  const other = await service.keys.create({ kind: 'agent', name: 'other', allow: { toolkits: ['bank'] } });
  expect((await explain(service.as(other.key), 'shop__buy_book')).reason).toContain('This key may not use it');
});

test('an MCP client with a budget lists and calls paid actions within its Svc-Max-Payment; without one it lists none', async () => {
  const { service, poor, rich } = await startShop();
  const query = '?staticToolkits=shop';
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();
  const dynamic = ['invoke_service', 'search_services'];
  const client = await connect(service.url + PATHS.mcp + query, { authorization: `Bearer ${rich.key}` });
  expect(await names(client)).toEqual([...dynamic, 'shop__buy_book', 'shop__buy_library', 'shop__find_books', 'shop__sell_book']);
  expect(await client.callTool({ name: 'shop__buy_book', arguments: {} })).not.toHaveProperty('isError', true);
  const poorClient = await connect(service.url + PATHS.mcp + query, { authorization: `Bearer ${poor.key}` });
  expect(await names(poorClient)).toEqual([...dynamic, 'shop__find_books', 'shop__sell_book']);

  const refused = { isError: true, structuredContent: { error: { code: 'PAYMENT_REQUIRED' } } };
  const buy = { name: 'invoke_service', arguments: { action: 'shop__buy_book', payload: {} } };
  expect(await poorClient.callTool(buy)).toMatchObject(refused);
  const careful = await connect(service.url + PATHS.mcp, { authorization: `Bearer ${rich.key}`, 'svc-max-payment': '0.049999' });
  expect(await careful.callTool(buy)).toMatchObject(refused);
  expect(await careful.callTool({ name: 'invoke_service', arguments: { action: 'shop__find_books' } })).not.toHaveProperty('isError', true);
  const wrong = connect(service.url + PATHS.mcp, { authorization: `Bearer ${rich.key}`, 'svc-max-payment': '1e3' });
  await expect(wrong).rejects.toThrow(/Svc-Max-Payment must be a decimal text/);
});

async function connect(url: string, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
