/** Accounts of people in chats: the link, the code, and the call that goes on by itself. */

import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type AskModel, type Message, messageText } from 'svc-sdk/agent';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { startConnectable } from '../support/connectable';
import { callActions, newestResults, runAgent, say, storePath } from '../support/run-agent';

const ASK =
  'I need an account of yours for this. Open this page, connect the account, and send me the code that the page shows. Write no to go on without it.';

/** Asks for the account at "who", and repeats the results of tools. Keeps what it was asked. */
function makeModel() {
  const seen: Message[][] = [];
  const model: AskModel = async ({ messages }) => {
    seen.push([...messages]);
    const results = newestResults(messages);
    if (results.length > 0) return say(results.join());
    return messageText(messages.at(-1) ?? { role: 'user' }).includes('who') ? callActions(['github__whoami', {}]) : say('Hello');
  };
  return { model, seen };
}

const linkIn = (text: string | undefined) => /https?:\S+/.exec(text ?? '')?.[0] ?? '';

async function startChat(from: 'user' | 'everyone' = 'user') {
  const [store, client] = [storePath(), new PipeClient()];
  const stage = await startConnectable(undefined, from);
  const { model, seen } = makeModel();
  const { id: keyId, key: apiKey } = await stage.service.keys.create({ kind: 'agent', name: 'agent' });
  const options = { clients: [client], model, store, apiKey };
  const agent = await runAgent(stage.service, options);
  return { ...stage, ...agent, client, seen, store, options, keyId };
}

/** A person who was asked to connect an account. */
async function askedChat() {
  const chat = await startChat();
  chat.client.say('who am I?');
  await vi.waitFor(() => expect(chat.client.texts()).toHaveLength(1));
  const text = chat.client.texts()[0] as string;
  expect(text).toBe(`${ASK}\ngithub: ${linkIn(text)}`);
  return { ...chat, link: linkIn(text) };
}

test('the person gets the link and sends the code, and the call goes on by itself; neither reaches the model or the store', async () => {
  const { client, connect, link, ran, seen, store, stop } = await askedChat();
  const code = await connect(link);
  client.say(`  ${code.toLowerCase()} `);
  await vi.waitFor(() => expect(client.texts().slice(1)).toEqual(['octocat']));
  expect(ran).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain(link);
  await stop();
  const written = ['', '-wal']
    .map((end) => {
      try {
        return readFileSync(store + end).toString('latin1');
      } catch {
        return '';
      }
    })
    .join();
  for (const secret of [link, code, code.toLowerCase()]) expect(written).not.toContain(secret);
});

test('a link of Telegram brings the code as /start', async () => {
  const { client, connect, link } = await askedChat();
  client.say(`/start ${(await connect(link)).replace('-', '')}`);
  await vi.waitFor(() => expect(client.texts().slice(1)).toEqual(['octocat']));
});

test('a wrong code: the person reads so and gets another link, and the right one still goes', async () => {
  const { client, connect, link, ran } = await askedChat();
  client.say('AAAAA-AAAAA');
  await vi.waitFor(() => expect(client.texts()).toHaveLength(2));
  const second = client.texts()[1] as string;
  expect(second).toBe(`That code is not valid here.\n${ASK}\ngithub: ${linkIn(second)}`);
  expect(linkIn(second)).not.toBe(link);
  client.say(await connect(link));
  await vi.waitFor(() => expect(client.texts().slice(2)).toEqual(['octocat']));
  expect(ran).toHaveLength(1);
});

test('after five wrong codes the call ends without the account', async () => {
  const { client } = await askedChat();
  for (let n = 1; n <= 5; n++) {
    client.say('AAAAA-AAAAA');
    await vi.waitFor(() => expect(client.texts()).toHaveLength(n + 1));
  }
  expect(client.texts()[5]).toContain('did not connect an account');
});

test('a no ends the wait, and the model reads that the call did not run', async () => {
  const { client, ran } = await askedChat();
  client.say('no');
  await vi.waitFor(() =>
    expect(client.texts()[1]).toContain('The person did not connect an account for \\"github\\". Make the call again only if'),
  );
  expect(client.texts()[1]).not.toContain('http');
  expect(ran).toEqual([]);
});

test('another message ends the wait too, and is answered', async () => {
  const { client } = await askedChat();
  client.say('hi');
  await vi.waitFor(() => expect(client.texts().slice(1)).toEqual([expect.stringContaining('did not connect an account'), 'Hello']));
});

test('a code after the wait connects the account, and the person reads so', async () => {
  const { client, connect, link, seen } = await askedChat();
  client.say('no');
  await vi.waitFor(() => expect(client.texts()).toHaveLength(2));
  const code = (await connect(link)).replace('-', '');
  client.say(code);
  await vi.waitFor(() => expect(client.texts()[2]).toBe('The account is connected. What shall I do with it?'));
  client.say('who am I?');
  await vi.waitFor(() => expect(client.texts()[3]).toBe('octocat'));
  expect(JSON.stringify(seen)).not.toContain(code);
});

test('the code of another person connects nothing, and that person reads so', async () => {
  const { client, connect, link, ran, seen } = await askedChat();
  const code = await connect(link);
  client.say(code, { chatId: 'other', userId: 'bob' });
  await vi.waitFor(() => expect(client.texts('other')).toEqual(['That code is not valid here.']));
  expect(ran).toEqual([]);
  expect(JSON.stringify(seen)).not.toContain(code);
});

test('in a chat with other people the link is not shown: the model asks the person to write in private', async () => {
  const { client, seen } = await startChat();
  client.say('who am I?', { isPrivate: false });
  await vi.waitFor(() => expect(client.texts()[0]).toContain('needs a private chat: ask them to write to you in private'));
  expect(JSON.stringify([client.sent, seen])).not.toContain('/connections/');
});

test('the wait survives a restart', async () => {
  const { service, client, connect, link, stop, options, ran } = await askedChat();
  await stop();
  await runAgent(service, options);
  client.say(await connect(link));
  await vi.waitFor(() => expect(client.texts().slice(1)).toEqual(['octocat']));
  expect(ran).toHaveLength(1);
});

test('the wait ends after 20 minutes, also while the agent is down', async () => {
  const { service, client, store, stop, options } = await askedChat();
  await stop();
  const database = new DatabaseSync(store);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  database.exec("UPDATE svc_turn SET approval = json_set(approval, '$.connect.until', 1)");
  database.close();
  await runAgent(service, options);
  await vi.waitFor(() => expect(client.texts()[1]).toContain('did not connect an account for \\"github\\" in time'));
});

test('a code that is delivered twice is used once', async () => {
  const { client, connect, link } = await askedChat();
  const code = await connect(link);
  client.say(code, { messageId: 'same' });
  client.say(code, { messageId: 'same' });
  client.say('hi');
  await vi.waitFor(() => expect(client.texts().slice(1)).toEqual(['octocat', 'Hello']));
});

test('a code that cannot be checked: the person reads so, and the wait goes on', async () => {
  const { service, keyId, client, connect, link, store } = await askedChat();
  const code = await connect(link);
  await service.keys.revoke(keyId);
  client.say(code);
  await vi.waitFor(() => expect(client.texts()[1]).toBe('I cannot check the code now. Please send it again in a minute.'));
  const database = new DatabaseSync(store);
  onTestFinished(() => database.close());
  expect(database.prepare('SELECT state FROM svc_turn ORDER BY seq').all()).toMatchObject([{ state: 'asking' }, { state: 'done' }]);
});

test('an account that only the operator can connect is not asked for in the chat', async () => {
  const { client, seen } = await startChat('everyone');
  client.say('who am I?');
  await vi.waitFor(() => expect(client.texts()[0]).toContain('only the operator of this agent can connect it'));
  expect(JSON.stringify([client.sent, seen])).not.toContain('/connections/');
});
