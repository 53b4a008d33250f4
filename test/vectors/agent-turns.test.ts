import { Agent, type Message, type MessageContext, replyImages } from 'svc-sdk/agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseJson } from '../../service/scripted-model/parse-json';
import { readContext } from '../../src/agent/store/context-row';
import { conversationId } from '../../src/agent/turns/conversation-id';
import { PipeClient } from '../support/agent';
import { type Bindings, expectMatch, fillIn } from '../support/match';
import { storePath } from '../support/run-agent';
import { CLIENT_ID, readSettings, readTurns, type VectorRows, type VectorTurn, writeRows } from '../support/turn-rows';
import { vector } from '../support/vectors';
import { connectAccount } from '../world/connect-page';
import { type ScriptedAnswer, startScriptModel } from '../world/script-model';
import { type ServiceWorld, startServiceWorld } from '../world/service-world';

interface Case {
  name: string;
  options?: Record<string, unknown> & { apiKey?: string; accept?: string[] };
  given?: VectorRows;
  steps: Step[];
  model: { request: ModelRequest; answer: ScriptedAnswer }[];
  calls: object[];
  sent: { chat_id?: string; text: string; images?: string[] }[];
  turns: VectorTurn[];
  settings?: VectorRows['settings'];
}

interface Step {
  /** Counts that have to be reached before the step. */
  when?: { model?: number; calls?: number; sent?: number };
  say?: Record<string, unknown> & { answer?: { question_id: string; approved: boolean } };
  /** The number of the message, from 1, whose link the person opens and connects an account. */
  connect?: number;
  setPrompt?: [name: string, text: string | null];
  setModel?: [name: string, id: string | null];
}

interface ModelRequest {
  model: string;
  tools: boolean;
  system?: string;
  messages: Message[];
}

const LINK = /http\S+\/connections\/connect\/\S+/;

const { conversationIds, cases } = vector<{ conversationIds: { client_id: string; id: string; header: string }[]; cases: Case[] }>(
  'agent-turns',
);

test.each(conversationIds)('$id of $client_id is $header', ({ client_id: clientId, id, header }) => {
  expect(conversationId(clientId, id)).toBe(header);
});

describe('Agent behaves as the case describes', () => {
  let world: ServiceWorld;
  beforeAll(async () => {
    world = await startServiceWorld();
  });
  afterAll(() => world.close());

  test.each(cases)('$name', async ({ options = {}, given, steps, ...expected }) => {
    const model = await startScriptModel();
    onTestFinished(() => model.close());
    model.add(expected.model.map(({ answer }) => answer));
    vi.stubEnv('OPENAI_BASE_URL', model.baseUrl);
    vi.stubEnv('SVC_MODEL', 'openai/one');
    onTestFinished(() => void vi.unstubAllEnvs());

    const store = storePath();
    if (given) writeRows(store, given);
    const client = new PipeClient(CLIENT_ID);
    const { apiKey = '$agentKey', accept, ...others } = options;
    const agent = new Agent({
      apiKey: apiKey === '$buyerKey' ? world.keys.buyer : world.keys.agent,
      baseUrl: world.recordedUrl,
      store,
      clients: [client],
      ...(accept && { accept: ({ userId }: MessageContext) => accept.includes(userId) }),
      ...others,
    });
    const callsBefore = world.calls.length;
    const counts = () => ({ model: model.requests.length, calls: world.calls.length - callsBefore, sent: client.sent.length });
    const over = agent.run();
    onTestFinished(() => agent.stop());

    const codes: Bindings = new Map();
    for (const { when = {}, say, connect, setPrompt, setModel } of steps) {
      await vi.waitFor(() => expect(counts()).toMatchObject(when), { interval: 5 });
      if (setPrompt) agent.setPrompt(...setPrompt);
      if (setModel) agent.setModel(...setModel);
      if (connect) codes.set(`code${codes.size + 1}`, await connectAccount(linkIn(client.sent[connect - 1]?.text)));
      if (say) {
        const { message, ...ctx } = fillIn(say, new Map([...turnIds(store), ...codes])) as typeof say;
        client.say(String(message), toContext({ ...ctx, message }));
      }
    }
    const states = () => readTurns(store).map(({ state }) => state);
    await vi.waitFor(
      () => {
        expect(counts().sent).toBe(expected.sent.length);
        expect(states()).toEqual(expected.turns.map(({ state }) => state));
      },
      { interval: 10 },
    );
    await agent.stop();
    await over;

    const bindings = turnIds(store);
    const { model: exchanges, turns, calls, sent, settings } = fillIn(expected, bindings) as typeof expected;
    expectTurns(readTurns(store), turns, bindings);
    expectRequests(model.requests, exchanges, bindings);
    expectMatch(world.calls.slice(callsBefore).map(toCall).sort(byKey), calls, bindings, 'calls');
    expect(client.sent.map(toSent)).toEqual(sent);
    if (settings) expect(readSettings(store)).toEqual(settings);
  });
});

function linkIn(text = ''): string {
  return LINK.exec(text)?.[0] ?? '';
}

/** `$turn1` is the id of the first turn. */
function turnIds(store: string): Bindings {
  return new Map(readTurns(store).map(({ id }, index) => [`turn${index + 1}`, id]));
}

function toContext({ answer, ...ctx }: NonNullable<Step['say']>): Partial<MessageContext> {
  const { chatId = 'chat', userId = 'ann', ...rest } = readContext(JSON.stringify(ctx));
  return { ...rest, chatId, userId, ...(answer && { answer: { questionId: answer.question_id, approved: answer.approved } }) };
}

function toCall({ headers, body }: ServiceWorld['calls'][number]) {
  return {
    key: headers['idempotency-key'],
    session: headers['svc-session-id'],
    user: headers['svc-user-id'],
    maxPayment: headers['svc-max-payment'],
    version: headers['svc-action-version'],
    body,
  };
}

function byKey(a: { key: unknown }, b: { key: unknown }): number {
  return String(a.key).localeCompare(String(b.key));
}

function toSent({ chatId, text, replyMessages }: PipeClient['sent'][number]): Case['sent'][number] {
  const images = replyImages(replyMessages);
  return { ...(chatId !== 'chat' && { chat_id: chatId }), text: text.replace(LINK, '$link'), ...(images.length > 0 && { images }) };
}

function expectTurns(actual: readonly VectorTurn[], expected: readonly VectorTurn[], bindings: Bindings): void {
  for (const [index, { messages, error = null, ctx, ...columns }] of expected.entries()) {
    const turn = actual[index];
    expectMatch(turn, { attempts: 0, ...columns }, bindings, `turns/${index}`);
    expect(turn?.ctx).toEqual(ctx);
    expect(turn?.error?.split(':', 1)[0] ?? null).toBe(error);
    expectMessages(turn?.messages, messages, bindings, `turns/${index}/messages`);
  }
}

function expectRequests(actual: readonly unknown[], expected: Case['model'], bindings: Bindings): void {
  expect(actual).toHaveLength(expected.length);
  for (const [index, { request }] of expected.entries()) {
    const { model, tools, messages } = actual[index] as Omit<ModelRequest, 'tools'> & { tools?: unknown };
    const [system, ...rest] = messages;
    expect({ model, tools: tools !== undefined }, `model/${index}`).toEqual({ model: request.model, tools: request.tools });
    expect(system).toEqual({ role: 'system', content: request.system ?? expect.any(String) });
    expectMessages(rest, request.messages, bindings, `model/${index}/messages`);
  }
}

/** No message may have members that are not expected. The content of a tool is JSON, and may have more of them. */
function expectMessages(actual: readonly Message[] = [], expected: readonly Message[], bindings: Bindings, path: string): void {
  expect(
    actual.map((message) => ({ ...message, ...(message.role === 'tool' && { content: null }) })),
    path,
  ).toEqual(expected.map((message) => ({ ...message, ...(message.role === 'tool' && { content: null }) })));
  for (const [index, { role, content }] of expected.entries()) {
    if (role === 'tool') expectMatch(parseJson(String(actual[index]?.content)), content, bindings, `${path}/${index}`);
  }
}
