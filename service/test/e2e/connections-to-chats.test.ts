/** A return URL that opens a chat: the code comes back as a message. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { startConnectable } from '../../../test/support/connectable';
import { startConsole } from '../../../test/support/console-service';
import { listening } from '../../../test/support/listening';
import { fillConnectPage } from '../../../test/world/connect-page';

test('the code takes its place in the return URL, and the link of a call says that it ends with a code', async () => {
  const { service, ran } = await startConnectable(await startConsole());
  const opened: string[] = [];
  const chat = createServer(({ url = '' }, response) => {
    opened.push(url);
    response.end('The chat opens');
  });
  const returnUrl = `${await listening(chat)}/bot?start={code}`;
  const { id, key: apiKey } = await service.keys.create({ kind: 'agent', name: 'bot' });
  const { connect } = await service.owner.json<{ connect: object }>('PATCH', `${PATHS.keys}/${id}`, { connect: { returnUrl } });
  expect(connect).toEqual({ returnUrl });

  const tools = await service.tools({ apiKey, userId: 'telegram/7' });
  const error = await tools.invoke('github__whoami').catch((refused) => refused);
  expect(error).toMatchObject({ code: 'CONNECTION_REQUIRED', details: { connect: { confirm: true } } });
  await fillConnectPage(error.details.connect.url);
  const [, code = ''] = /^\/bot\?start=([^&]+)$/.exec(opened.join()) ?? [];
  await tools.confirmConnection({ code });
  expect(await tools.invoke('github__whoami')).toMatchObject({ result: 'octocat' });
  expect(ran).toHaveLength(1);
});
