/** The gateway session of a bot on Discord, when connections end. */
import { DiscordClient } from 'svc-sdk/agent/discord';
import { expect, onTestFinished, test } from 'vitest';
import { openDiscord, startDiscordClient } from '../support/discord';
import { receive, receiveTexts } from '../support/received-messages';

test('a new client resumes at the cursor of an earlier one', async () => {
  const fake = await openDiscord();
  const first = await startDiscordClient(fake);
  await fake.say({ text: 'one' });
  await receive(first);
  await first.stop();
  await fake.say({ text: 'two' });
  await fake.say({ text: 'three' });
  const second = await startDiscordClient(fake, JSON.parse(JSON.stringify(first.cursor)));

  expect(await receiveTexts(second, 2)).toEqual(['two', 'three']);
  expect(fake.gatewayLog.slice(1)).toEqual(['left 4200', 'resume 2']);
});

test('the cursor is not ahead of what was returned', async () => {
  const fake = await openDiscord();
  const first = await startDiscordClient(fake);
  for (const text of ['one', 'two', 'three']) await fake.say({ text });
  await receive(first);
  await first.stop();
  const second = await startDiscordClient(fake, first.cursor);

  expect(await receiveTexts(second, 2)).toEqual(['two', 'three']);
});

test('a new session is worth a cursor at once', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);

  expect(await client.receiveMessage({ signal: AbortSignal.timeout(10_000) })).toBeNull();
  expect(client.cursor).toMatchObject({ session: 'session-1', sequence: 1 });
});

test('messages to others move the cursor on, with the next message', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  for (const text of ['to others', 'to others', 'to others']) await fake.say({ text, isPrivate: false });
  await fake.say({ text: 'to the bot' });
  await receive(client);

  expect(client.cursor).toMatchObject({ sequence: 5 });
});

test('a session that Discord no longer has is replaced', async () => {
  const fake = await openDiscord();
  const cursor = { session: 'gone', sequence: 7, resumeUrl: fake.origin.replace('http', 'ws') };
  const client = await startDiscordClient(fake, cursor);
  await expect.poll(() => fake.gatewayLog.at(-1)).toMatch(/^identify/);
  await fake.say({ text: 'hello' });

  expect(await receiveTexts(client, 1)).toEqual(['hello']);
  expect(client.cursor).toMatchObject({ session: 'session-1' });
});

test('a resume that is cut is tried again', async () => {
  const fake = await openDiscord();
  const first = await startDiscordClient(fake);
  await fake.say({ text: 'one' });
  await receive(first);
  await first.stop();
  fake.fault({ close: 1006 });
  await fake.say({ text: 'two' });
  const second = await startDiscordClient(fake, first.cursor);

  expect(await receiveTexts(second, 1)).toEqual(['two']);
  expect(fake.gatewayLog.slice(1)).toEqual(['left 4200', 'resume 2', 'left 1006', 'resume 2']);
});

test('a cursor of another shape starts a new session', async () => {
  const fake = await openDiscord();
  await startDiscordClient(fake, { offset: 12 });
  expect(fake.gatewayLog).toEqual([expect.stringMatching(/^identify/)]);
});

test('a cut connection is resumed, and nothing is lost', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  fake.fault({ close: 1006 });
  await fake.say({ text: 'during the cut' });

  expect(await receiveTexts(client, 1)).toEqual(['during the cut']);
  expect(fake.gatewayLog.at(-1)).toBe('resume 1');
});

test('connections that cannot be opened do not end the session', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  fake.fault({ on: '/gateway/resume', cut: true, times: 2 });
  fake.fault({ on: '/gateway/resume', status: 503 });
  fake.fault({ close: 1006 });
  await fake.say({ text: 'during the outage' });

  expect(await receiveTexts(client, 1)).toEqual(['during the outage']);
  expect(fake.gatewayLog.filter((line) => line.startsWith('identify'))).toHaveLength(1);
});

test('after three tries the general address of the gateway resumes the session', async () => {
  const fake = await openDiscord();
  const first = await startDiscordClient(fake);
  await fake.say({ text: 'one' });
  await receive(first);
  await first.stop();
  await fake.say({ text: 'two' });
  const second = await startDiscordClient(fake, { ...(first.cursor as object), resumeUrl: 'ws://127.0.0.1:1/' });

  expect(await receiveTexts(second, 1)).toEqual(['two']);
  expect(fake.requests.filter(({ path }) => path.endsWith('/gateway/bot'))).toHaveLength(2);
});

test.each([4000, 4001, 4008])('close code %i is resumed', async (close) => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  fake.fault({ close });
  await fake.say({ text: 'hello' });

  expect(await receiveTexts(client, 1)).toEqual(['hello']);
  expect(fake.gatewayLog.at(-1)).toBe('resume 1');
});

test('close code 4009 starts a new session', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  fake.fault({ close: 4009 });
  await expect.poll(() => fake.gatewayLog.filter((line) => line.startsWith('identify'))).toHaveLength(2);
  await fake.say({ text: 'hello' });

  expect(await receiveTexts(client, 1)).toEqual(['hello']);
  expect(client.cursor).toMatchObject({ session: 'session-2' });
});

test('a connection that answers no heartbeat is resumed on another', async () => {
  const fake = await openDiscord({ heartbeatMs: 100 });
  const client = await startDiscordClient(fake);
  fake.fault({ silent: true });
  await expect.poll(() => fake.gatewayLog).toContain('resume 1');
  await fake.say({ text: 'hello' });

  expect(await receiveTexts(client, 1)).toEqual(['hello']);
});

test('answered heartbeats keep a connection', async () => {
  // Each has to be answered before the next one, on a busy machine, too.
  const fake = await openDiscord({ heartbeatMs: 100 });
  await startDiscordClient(fake);
  await expect.poll(() => fake.heartbeats).toBeGreaterThan(5);
  expect(fake.gatewayLog).toHaveLength(1);
});

test('a heartbeat that Discord requests is sent at once', async () => {
  const fake = await openDiscord({ heartbeatMs: 3_600_000 });
  await startDiscordClient(fake);
  // The first heartbeat, which Discord did not request.
  await expect.poll(() => fake.heartbeats).toBe(1);
  fake.fault({ op: 1 });
  await expect.poll(() => fake.heartbeats).toBe(2);
});

test('a request to reconnect is followed by a resume', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  fake.fault({ op: 7 });
  await fake.say({ text: 'hello' });

  expect(await receiveTexts(client, 1)).toEqual(['hello']);
  expect(fake.gatewayLog.slice(1)).toEqual(['left 4200', 'resume 1']);
});

test('a session that is invalid for now is resumed, one that ended is replaced', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  fake.fault({ op: 9, done: true });
  await expect.poll(() => fake.gatewayLog.at(-1)).toBe('resume 1');
  fake.fault({ op: 9 });
  await expect.poll(() => fake.gatewayLog.at(-1)).toMatch(/^identify/);
  await fake.say({ text: 'hello' });

  expect(await receiveTexts(client, 1)).toEqual(['hello']);
});

test('a message that arrives twice has the same id twice', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  const messageId = await fake.say({ text: 'hello', twice: true });

  expect([(await receive(client)).messageId, (await receive(client)).messageId]).toEqual([messageId, messageId]);
});

test('a start during an outage continues after it', async () => {
  const fake = await openDiscord();
  fake.fault({ on: '/gateway/bot', status: 503 });
  fake.fault({ on: '/gateway/bot', cut: true });
  const client = await startDiscordClient(fake);
  await expect.poll(() => fake.gatewayLog.at(-1)).toMatch(/^identify/);
  await fake.say({ text: 'hello' });

  expect(await receiveTexts(client, 1)).toEqual(['hello']);
});

test('no session is opened while Discord allows none', async () => {
  const fake = await openDiscord();
  fake.limitSessions({ remaining: 0, resetMs: 50 });
  const client = new DiscordClient(fake.clientOptions);
  onTestFinished(() => client.stop());
  await client.start();
  await expect.poll(() => fake.requests.length).toBeGreaterThan(2);
  expect(fake.gatewayLog).toEqual([]);
  fake.limitSessions({ remaining: 1, resetMs: 50 });
  await expect.poll(() => fake.gatewayLog).toHaveLength(1);
});
