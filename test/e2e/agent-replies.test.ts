import { DatabaseSync } from 'node:sqlite';
import { type AskModel, imageDataUrl, type MessageContext, replyImages } from 'svc-sdk/agent';
import { expect, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { ButtonClient } from '../support/button-client';
import { callActions, newestResults, runAgent, say, storePath } from '../support/run-agent';
import { startService } from '../support/service';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=', 'base64');
const PICTURE = imageDataUrl(PNG) ?? '';

/** Edits one message while the model writes. */
class EditingClient extends ButtonClient {
  readonly partial: [text: string, partial: unknown][] = [];
  /** The `ctx` of each reply. */
  readonly replied: MessageContext[] = [];
  readonly typed: string[] = [];

  override async showPartial(ctx: MessageContext, text: string): Promise<unknown> {
    this.partial.push([text, ctx.partial]);
    return { id: 'message-1' };
  }

  override async setTyping({ chatId }: MessageContext): Promise<void> {
    this.typed.push(chatId);
    throw new Error('nobody needs to know');
  }

  override async sendMessage(...reply: Parameters<PipeClient['sendMessage']>): Promise<void> {
    this.replied.push(structuredClone(reply[0]));
    await super.sendMessage(...reply);
  }
}

test('a long answer is shown while the model writes it, in one message, at most every 1.5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const service = await startService();
  const client = new EditingClient();
  const text = Promise.withResolvers<(text: string) => void>();
  const end = Promise.withResolvers<void>();
  const model: AskModel = async ({ onText }) => {
    text.resolve(onText ?? (() => {}));
    await end.promise;
    return say('one two three four');
  };
  await runAgent(service, { clients: [client], model, edit: true });
  client.say('count');
  const write = await text.promise;
  write('one');
  write('one two');
  await vi.advanceTimersByTimeAsync(1_499);
  expect(client.partial).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  write('one two three');
  await vi.advanceTimersByTimeAsync(1_500);
  expect(client.partial).toEqual([
    ['one two', undefined],
    ['one two three', { id: 'message-1' }],
  ]);
  write('one two three four');
  end.resolve();
  await vi.waitFor(() => expect(client.texts()).toEqual(['one two three four']));
  expect(client.replied).toMatchObject([{ partial: { id: 'message-1' } }]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(client.partial).toHaveLength(2);
});

test('without `edit` nothing is shown before the reply', async () => {
  const service = await startService();
  const client = new EditingClient();
  const asked = vi.fn<AskModel>(async () => say('ok'));
  await runAgent(service, { clients: [client], model: asked });
  client.say('hi');
  await vi.waitFor(() => expect(client.texts()).toEqual(['ok']));
  expect(asked.mock.calls[0]?.[0]).not.toHaveProperty('onText');
  expect(client.typed).toEqual(['chat']);
});

test('images of a person reach the model, and images of a result reach the chat', async () => {
  const service = await startService();
  await service.toolkit('charts', (toolkit) =>
    toolkit.action({ action: 'draw', actionDescription: 'Draws', payloadDescription: 'nothing' }, (ctx) => {
      ctx.image(PNG, 'image/png');
      return ctx.result({ drawn: true });
    }),
  );
  const store = storePath();
  const client = new EditingClient();
  const seen: unknown[] = [];
  const model: AskModel = async ({ messages }) => {
    const results = newestResults(messages);
    seen.push(results[0] ?? messages.at(-1)?.content);
    return results.length > 0 ? say('Here it is') : callActions(['charts__draw', {}]);
  };
  await runAgent(service, { clients: [client], model, store });
  client.say('like this', { images: [PICTURE] });
  await vi.waitFor(() => expect(client.texts()).toEqual(['Here it is']));
  expect(seen).toEqual([
    [
      { type: 'text', text: 'like this' },
      { type: 'image_url', image_url: { url: PICTURE } },
    ],
    expect.stringContaining('[image image/png'),
  ]);
  expect(replyImages(client.sent[0]?.replyMessages ?? [])).toEqual([PICTURE]);
  const database = new DatabaseSync(store);
  // The image is kept once, in the message.
  expect(database.prepare("SELECT count(*) AS turns FROM svc_turn WHERE ctx LIKE '%base64%'").get()).toEqual({ turns: 0 });
  database.close();
});

test('a question with buttons is answered by a press, and its buttons go away', async () => {
  const service = await startService();
  await service.toolkit('orders', (toolkit) =>
    toolkit.action(
      { action: 'delete', actionDescription: 'Deletes', payloadDescription: 'nothing', annotations: { destructive: true } },
      () => 'deleted',
    ),
  );
  const client = new EditingClient();
  const model: AskModel = async ({ messages }) => {
    const results = newestResults(messages);
    return results.length > 0 ? say(results.join()) : callActions(['orders__delete', {}]);
  };
  await runAgent(service, { clients: [client], model });
  client.say('delete');
  await vi.waitFor(() => expect(client.asked).toHaveLength(1));
  const [question] = client.asked;
  expect(question).toEqual({ id: expect.stringMatching(/^turn_[0-9a-f]{24}\/0$/), text: 'May I do this?\norders__delete {}' });
  client.say('', { answer: { questionId: 'turn_0/0', approved: true } });
  client.say('', { answer: { questionId: question?.id ?? '', approved: true }, userId: 'bob' });
  client.say('', { answer: { questionId: question?.id ?? '', approved: true } });
  client.say('', { answer: { questionId: question?.id ?? '', approved: false } });
  await vi.waitFor(() => expect(client.texts()).toEqual(['deleted']));
  expect(client.ended).toEqual([[{ id: 'question-1' }, 'May I do this?\norders__delete {}\nApproved.']]);
});

test('a paid call above the configured amount needs approval, and the question shows the price', async () => {
  const service = await startService();
  await service.toolkit('shop', (toolkit) => {
    for (const [action, amount] of [
      ['cheap', '0.10'],
      ['dear', '0.20'],
    ] as const)
      toolkit.action({ action, actionDescription: action, payloadDescription: 'nothing', payment: { amount } }, () => action);
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'payer', budget: { perCall: '1', perDay: '10' } });
  const client = new PipeClient();
  const model: AskModel = async ({ messages }) => {
    const results = newestResults(messages);
    return results.length > 0 ? say(results.join()) : callActions(['shop__cheap', {}], ['shop__dear', {}]);
  };
  await runAgent(service, { clients: [client], model, askAbove: '0.15', apiKey: key });
  client.say('buy');
  await vi.waitFor(() => expect(client.texts()).toEqual(['May I do this?\nshop__dear {}, for 0.2 USD\nAnswer yes or no.']));
  client.say('no');
  await vi.waitFor(() => expect(client.texts()[1]).toMatch(/^cheap,.*NOT_APPROVED/));
});

test('a client that never answers a partial text does not hold the turn', async () => {
  const service = await startService();
  const client = new EditingClient();
  const shown = vi.spyOn(client, 'showPartial').mockImplementation(() => new Promise(() => {}));
  const model: AskModel = async ({ onText }) => {
    onText?.('one');
    await vi.waitFor(() => expect(shown).toHaveBeenCalled());
    return say('one two');
  };
  await runAgent(service, { clients: [client], model, edit: true, turnTimeoutMs: 2_500 });
  client.say('count');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Something went wrong, and I could not finish that. Please try again.']));
});
