/** Starts that Discord refuses, and stops. */
import { DiscordClient } from 'svc-sdk/agent/discord';
import { expect, onTestFinished, test } from 'vitest';
import { openDiscord, startDiscordClient } from '../support/discord';
import { receive } from '../support/received-messages';

const patiently = () => ({ signal: AbortSignal.timeout(10_000) });

test('the id is read from the token', async () => {
  const fake = await openDiscord();
  expect(new DiscordClient(fake.clientOptions).clientId).toBe('discord-1100000000000000001');
});

test.each(['', 'abc', 'Bot MTEwMDAwMDAwMDAwMDAwMDAwMQ.a.b', 'bm90IGEgbnVtYmVy.a.b'])('%j is not a token', (botToken) => {
  expect(() => new DiscordClient({ botToken })).toThrow(/not the token of a Discord bot.*Reset Token/);
});

test('a wrong token rejects the start with the place to get another', async () => {
  const fake = await openDiscord();
  const client = new DiscordClient(fake.wrongCredentials);
  const error = await client.start().catch((caught) => caught);
  await client.stop();

  expect(error.message).toMatch(/^discord-1100000000000000001: Discord refuses the bot token.*Reset Token.*401/);
  expect(error.message).not.toContain(fake.wrongCredentials.botToken.split('.')[2]);
});

test('a wrong token for a session to resume rejects the start too', async () => {
  const fake = await openDiscord();
  const first = await startDiscordClient(fake);
  await first.receiveMessage(patiently());
  await first.stop();
  const client = new DiscordClient(fake.wrongCredentials);
  client.cursor = first.cursor;
  onTestFinished(() => client.stop());

  await expect(client.start()).rejects.toThrow(/Discord refuses the bot token.*4004/);
});

test.each([4004, 4010, 4011, 4012, 4013, 4014])('close code %i at the start rejects', async (close) => {
  const fake = await openDiscord();
  fake.fault({ close });
  const client = new DiscordClient(fake.clientOptions);
  onTestFinished(() => client.stop());

  await expect(client.start()).rejects.toThrow(new RegExp(`Discord refuses .*close code ${close}`));
});

test('close code 4014 later ends the client with words', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await client.receiveMessage(patiently());
  const pending = client.receiveMessage(patiently());
  fake.fault({ close: 4014 });

  await expect(pending).rejects.toThrow(/Discord refuses the intents.*4014/);
  await expect(client.receiveMessage(patiently())).rejects.toThrow(/4014/);
});

test('messages before a refusal are returned first', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await fake.say({ text: 'hello' });
  fake.fault({ close: 4014 });
  await expect.poll(() => fake.gatewayLog.at(-1)).toBe('left 4014');

  expect(await receive(client)).toMatchObject({ message: 'hello' });
  await expect(client.receiveMessage(patiently())).rejects.toThrow(/4014/);
});

test('a stop ends a wait, and can be called before a start and twice', async () => {
  const fake = await openDiscord();
  const client = new DiscordClient(fake.clientOptions);
  await client.stop();
  await client.start();
  await client.receiveMessage(patiently());
  const pending = client.receiveMessage(patiently());
  await client.stop();
  await client.stop();

  expect(await pending).toBeNull();
  expect(await client.receiveMessage(patiently())).toBeNull();
});

test('a stop during the wait before a connection opens no other', async () => {
  const fake = await openDiscord();
  fake.fault({ on: '/gateway/bot', status: 429, retryAfter: 3_600 });
  const client = await startDiscordClient(fake);
  await client.stop();

  expect(fake.gatewayLog).toEqual([]);
});

test('a stop during the opening of a connection ends it', async () => {
  const fake = await openDiscord();
  fake.fault({ on: '/gateway', hangMs: 60_000 });
  const client = new DiscordClient(fake.clientOptions);
  const starting = client.start();
  await expect.poll(() => fake.gatewayLog).toEqual(['hangs']);
  await client.stop();
  await starting;

  await expect.poll(() => fake.gatewayLog).toEqual(['hangs', 'hung up']);
});

test('a client that was stopped starts again where it was', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await client.receiveMessage(patiently());
  await client.stop();
  await fake.say({ text: 'meanwhile' });
  await client.start();

  expect(await receive(client)).toMatchObject({ message: 'meanwhile' });
});
