/**
 * The behaviour of every adapter in the real framework with a scripted model: `describeAdapter` runs it for one entry and one version: all of it with the
 * newest major, what differs between majors with an older one: approval, ids, errors, cancel, and how calls and results are carried.
 *
 * The model's side is `service/scripted-model`; its messages are read from the conversation, so a test checks the exact input of a model.
 */
import { type CallToolOptions, type JsonSchema, Tools } from 'svc-sdk';
import type { LoadSvcToolsOptions } from 'svc-sdk/agent-tool';
import { describe, expect, test, vi } from 'vitest';
import { FRAMEWORKS } from '../../scripts/frameworks.ts';
import type { Conversation, Exchange } from '../../service/scripted-model/conversation.ts';
import type { SpokenCall } from '../../service/scripted-model/speech.ts';
import type { Rule } from '../../src/protocol/rules';
import { expectPrompt } from '../support/prompt';
import { understood } from '../support/understood';
import { PNG } from '../support/vectors';
import { type Stage, type StageModel, stagesOfFile } from './stage';

interface AskedForApproval {
  /** The call as the framework shows it to a human: the tool and the model's arguments. */
  tool: string;
  input: unknown;
}

export interface Conversing {
  question: string;
  /** The options for `svcTools`, or for `loadSvcTools` with static tools. */
  options: LoadSvcToolsOptions;
  model: StageModel;
  signal: AbortSignal;
  /** Receives the progress that the framework shows while a tool runs. */
  onProgress(shown: unknown): void;
  /** Called with each payment that the framework shows beside a result. */
  onPayment(shown: unknown): void;
  /** The human. */
  approve(asked: AskedForApproval): Promise<boolean>;
}

export interface AdapterUnderTest {
  /** `svc-sdk/ai`. */
  entry: string;
  /** `ai 7.0.173`; more than one when the framework is more than one package. */
  framework: string;
  /** One conversation in the framework, with approvals answered by `approve`; the model's last words. */
  converse(conversing: Conversing): Promise<string>;
  /** Converts a JSON Schema as the framework does before it sends it. Default: unchanged. */
  asOffered?(parameters: JsonSchema): JsonSchema;
  /** Takes off what the framework puts around the words of a tool, as a model does that reads them. */
  understand?(output: unknown): unknown;
  /**
   * The form of an image in a request, where this API takes one in the result of a tool: `always`, or with `images: true`. Default: words in
   * its place, with any option.
   */
  image?: { always?: true; as: object };
  /** The abilities of the framework, and so of the adapter. */
  can: {
    /** Fails before the first model request when the tools fail to load. */
    failToLoad: boolean;
    /** Shows progress while a tool runs. */
    progress: boolean;
    /** Has a place for the payment of a call, which no model reads. */
    payments: boolean;
    /** Asks a human before a tool runs. */
    approval: boolean;
    /** False for a framework that loses the result of a call beside one that waits for a human. */
    keepsOthers?: false;
    /** Continues after a call of a tool that does not exist; some frameworks end the run. */
    unknownTools: boolean;
    /** Continues after arguments that are not JSON; some wires cannot carry them. A function if this depends on the text. */
    brokenArguments: boolean | ((text: string) => boolean);
    /** Runs the calls of one message at the same time. */
    parallel: boolean;
    /** Hands on the model's id of a call. */
    callIds: boolean;
  };
}

const DONE = 'That is all.';

/** Behaviour that is the same in all majors of a framework: only the newest major runs these tests. */
const isOlder = process.env.SVC_TEST_MAJOR !== undefined;
const testOnce = test.skipIf(isOlder);

export function describeAdapter(adapter: AdapterUnderTest): void {
  const { can, understand = (output) => output } = adapter;
  // Files share this module, and a stage ends with its file.
  const startStage = stagesOfFile();

  /** Scripts the model to make these calls, one list per turn, and returns the messages to the model. */
  async function converse(stage: Stage, turns: Turn[], changes: Changes = {}): Promise<Told> {
    const model = await stage.model((conversation) => {
      const turn = turns[conversation.turns.length];
      const said = typeof turn === 'function' ? turn(understood(conversation, understand)) : turn;
      return said === undefined ? { content: DONE } : { calls: said };
    });
    const asked: AskedForApproval[] = [];
    const text = await adapter.converse({
      question: 'Please do it.',
      options: { tools: stage.tools },
      model,
      signal: new AbortController().signal,
      onProgress: () => {},
      onPayment: () => {},
      ...changes,
      async approve(request) {
        asked.push(request);
        return (await changes.approve?.(request)) ?? true;
      },
    });
    const conversation = understood(model.conversations.at(-1) as Conversation, understand);
    return { text, asked, conversation, exchanges: conversation.turns.flat(), requests: model.requests };
  }

  describe(`${adapter.entry} with ${adapter.framework}`, () => {
    test('the model searches, invokes and answers', async () => {
      const stage = await startStage();
      const { text, exchanges } = await converse(stage, [
        [{ name: 'search_services', arguments: { query: 'weather of today in a city' } }],
        ({ turns }) => {
          const found = Object(turns[0]?.[0]?.output).actions[0].action;
          return [invoke(found, { city: 'Rome' })];
        },
      ]);
      expect(text).toBe(DONE);
      expect(exchanges[0]?.output).toMatchObject({ actions: [{ action: 'weather__today', annotations: { readOnly: true } }] });
      expect(exchanges[1]?.output).toEqual({ city: 'Rome', celsius: 21 });
    });

    testOnce('creates a Tools from options, and accepts an existing Tools', async () => {
      const stage = await startStage();
      const call = [[invoke('weather__today', { city: 'Oslo' })]];
      for (const options of [stage.connection, stage.tools as LoadSvcToolsOptions, { tools: stage.tools }]) {
        const { exchanges } = await converse(stage, call, { options });
        expect(exchanges[0]?.output).toEqual({ city: 'Oslo', celsius: 21 });
      }
    });

    testOnce('offers the same two tools in the same bytes every time, with their schemas untouched', async () => {
      const stage = await startStage();
      const offers = [await converse(stage, []), await converse(stage, [], { options: stage.connection })];
      const [first, second] = offers.map(({ conversation }) => JSON.stringify(conversation.offered));
      expect(first).toBe(second);
      expect(offers[0]?.conversation.offered).toEqual(stage.tools.definitions().map((definition) => expect.objectContaining(definition)));
    });

    test('static actions are separate tools, named by their ids, with their JSON Schemas unchanged', async () => {
      const stage = await startStage();
      const options = { tools: stage.tools, dynamicTools: false, staticToolkits: ['schemas'], staticActions: ['weather__today'] };
      const { conversation, exchanges } = await converse(
        stage,
        [
          [
            { name: 'weather__today', arguments: { city: 'Lima' } },
            { name: 'schemas__nested', arguments: { where: { x: 1, y: null }, tags: ['a'] } },
          ],
        ],
        { options },
      );
      const definitions = (await stage.tools.getTools(options)).map((tool) => tool.function);
      const { asOffered = (parameters) => parameters } = adapter;
      const expected = definitions.map((definition) => ({ ...definition, parameters: asOffered(definition.parameters) }));
      expect(conversation.offered).toEqual(expected.map((definition) => expect.objectContaining(definition)));
      expect(conversation.offered.map(({ name }) => name)).toEqual(['schemas__nested', 'weather__today']);
      expect(exchanges.map(({ output }) => output)).toEqual([
        { city: 'Lima', celsius: 21 },
        { where: { x: 1, y: null }, tags: ['a'] },
      ]);
    });

    test.skipIf(!can.failToLoad)('a missing static action is an error before the first model request', async () => {
      const stage = await startStage();
      const options = { tools: stage.tools, staticActions: ['weather__tody'] };
      await expect(converse(stage, [], { options })).rejects.toMatchObject({
        code: 'ACTION_NOT_FOUND',
        details: { didYouMean: ['weather__today'] },
      });
    });

    test.each(FAILURES)('$what: the model gets a code and the next step, and the run continues', async ({ call, told, prepare }) => {
      const stage = await startStage();
      const options = (await prepare?.(stage)) ?? { tools: stage.tools };
      const { text, exchanges } = await converse(stage, [[call]], { options });
      expect(exchanges).toHaveLength(1);
      expect(exchanges[0]?.output).toEqual({ error: expect.objectContaining({ message: expect.any(String), ...told }) });
      expect(text).toBe(DONE);
    });

    test.skipIf(!can.parallel)('the calls of one message run at the same time, and each gets its own answer', async () => {
      const stage = await startStage();
      const names = ['a', 'b', 'c'];
      // Each call waits until all three have arrived.
      const { exchanges } = await converse(stage, [names.map((name) => invoke('probe__meet', { name, of: 3 }))]);
      expect(exchanges.map(({ output }) => output)).toEqual(names.map((name) => ({ name, met: 3 })));
    });

    testOnce('one call that fails keeps the others of its message', async () => {
      const stage = await startStage();
      const { exchanges } = await converse(stage, [
        [
          invoke('weather__today', { city: 'Rome' }),
          invoke('weather__today', { city: 'Atlantis' }),
          invoke('weather__today', { city: 'Oslo' }),
        ],
      ]);
      expect(exchanges.map(({ output }) => output)).toEqual([
        { city: 'Rome', celsius: 21 },
        { error: expect.objectContaining({ code: 'ACTION_FAILED' }) },
        { city: 'Oslo', celsius: 21 },
      ]);
    });

    test("an abort in the framework reaches the handler's signal within 100 ms, and the call is recorded as cancelled", async () => {
      const stage = await startStage();
      await expectPrompt(async () => {
        const controller = new AbortController();
        const run = converse(stage, [[invoke('probe__hang', {})]], { signal: controller.signal });
        const ended = run.then(
          () => 'ended',
          () => 'threw',
        );
        const handler = await stage.hanging();
        const abortedAt = performance.now();
        controller.abort();
        await handler.aborted;
        const ms = performance.now() - abortedAt;
        await ended;
        return ms;
      });
      await vi.waitFor(() => expect(stage.records()).toContainEqual({ action: 'probe__hang', code: 'INVOCATION_CANCELLED' }));
    });

    test.skipIf(!can.callIds)('the same call made twice under one id runs once', async () => {
      const stage = await startStage();
      const call = { ...invoke('probe__count', {}), id: 'call_9fKq2LmZ7xTbQw3RtYuIoP1a' };
      const first = await converse(stage, [[call]]);
      const second = await converse(stage, [[call]]);
      expect(first.exchanges[0]?.output).toEqual({ count: 1 });
      expect(second.exchanges[0]?.output).toEqual({ count: 1 });
      const other = await converse(stage, [[{ ...call, id: 'call_0' }]]);
      const again = await converse(stage, [[{ ...call, id: 'call_0' }]]);
      expect([other, again].map(({ exchanges }) => exchanges[0]?.output)).toEqual([{ count: 2 }, { count: 3 }]);
    });

    test.skipIf(!can.progress)('progress shows while the action runs', async () => {
      const stage = await startStage();
      const shown: unknown[] = [];
      const { exchanges } = await converse(stage, [[invoke('probe__report', {})]], { onProgress: (report) => shown.push(report) });
      expect(shown).toEqual([
        { progress: 1, total: 2, message: 'half' },
        { progress: 2, total: 2 },
      ]);
      expect(exchanges[0]?.output).toBe('reported');
    });

    testOnce.each([
      [
        'BigInts, dates, bytes, undefined and circles',
        'odd',
        { big: '12345678901234567890', date: '2026-03-10T00:00:00.000Z', kept: [null, 1] },
      ],
      ['null', 'nothing', null],
      ['a list of objects that looks like content blocks', 'blocks', [{ type: 'text', text: 'not content' }]],
      ['a number', 'number', 7],
      ['an empty text', 'empty', ''],
      ['a long text', 'long', 'x'.repeat(20_000)],
    ])('%s in a result: the model gets plain JSON', async (_what, kind, expected) => {
      const stage = await startStage();
      const { exchanges, text } = await converse(stage, [[invoke('probe__give', { kind })]]);
      const { output } = exchanges[0] as Exchange;
      if (typeof expected === 'object' && expected !== null && !Array.isArray(expected)) expect(output).toMatchObject(expected);
      else expect(output).toEqual(expected);
      expect(text).toBe(DONE);
    });

    test('an image, a file and a link in a result: the model reads what there is, and never base64', async () => {
      const stage = await startStage();
      const { exchanges, text, requests } = await converse(stage, [[invoke('probe__show', {})]]);
      const told = JSON.stringify(exchanges[0]?.output);
      for (const words of ['[image image/png, 70 bytes]', '[image image/png, 6 bytes]', 'a,b', 'https://example.com/a.png', 'width'])
        expect(told).toContain(words);
      expect(told).not.toContain(PNG.slice(0, 24));
      if (!adapter.image?.always) expect(requests.join()).not.toContain(PNG.slice(0, 24));
      expect(text).toBe(DONE);
    });

    test.skipIf(!adapter.image)(
      'a model with image input gets the image in the format of its API, and no image that its API rejects',
      async () => {
        const stage = await startStage();
        const options = { tools: stage.tools, ...(!adapter.image?.always && { images: true }) };
        const { exchanges, text, requests } = await converse(stage, [[invoke('probe__show', {})]], { options });
        const last = requests.at(-1) ?? '';
        expect(last).toContain(JSON.stringify(adapter.image?.as));
        expect(last.split(PNG)).toHaveLength(2);
        expect(last).not.toContain(Buffer.from('<svg/>').toString('base64'));
        expect(JSON.stringify(exchanges[0]?.output)).toContain('[image image/png, 70 bytes]');
        expect(text).toBe(DONE);
      },
    );

    testOnce('the model reads the price of an action, and no payment', async () => {
      const stage = await startStage();
      const { tools, bought } = await stage.shop();
      const shown: unknown[] = [];
      const run = await converse(
        stage,
        [[{ name: 'search_services', arguments: { query: 'buy a thing' } }], [invoke('shop__buy', { thing: 'hat' })]],
        { options: { tools }, onPayment: (payment) => shown.push(payment) },
      );
      expect(run.exchanges[0]?.output).toMatchObject({ actions: [{ action: 'shop__buy', payment: { amount: '0.05', currency: 'USD' } }] });
      expect(run.exchanges[1]?.output).toEqual({ bought: 'hat' });
      expect(run.requests.join()).not.toMatch(/authorised|charged/);
      expect(bought).toEqual(['hat']);
      expect(shown).toEqual(can.payments ? [{ authorised: '0.05', charged: '0.03', currency: 'USD' }] : []);
    });

    testOnce('a static action has its price in its description', async () => {
      const stage = await startStage();
      const { tools } = await stage.shop();
      const call: SpokenCall = { name: 'shop__buy', arguments: { thing: 'hat' } };
      const options = { tools, staticActions: ['shop__buy'] };
      const { exchanges, requests } = await converse(stage, [[call]], { options });
      expect(requests[0]).toContain('Buys a thing in the shop. Costs up to 0.05 USD a call.');
      expect(exchanges[0]?.output).toEqual({ bought: 'hat' });
    });

    testOnce('a toolkit that needs an account gets the credential of the user, and the model reads no secret', async () => {
      const stage = await startStage();
      await stage.vault();
      const options = {
        ...stage.connection,
        userId: 'ada',
        connections: async (toolkit: string, userId: string | undefined) => ({ bearer: `tok-${toolkit}-${userId}` }),
      };
      const run = await converse(stage, [[invoke('vault__whose', { door: 'front' })]], { options });
      expect(run.exchanges[0]?.output).toEqual({ userId: 'ada', owner: 'ada-tluav-kot', door: 'front' });
      expect(JSON.stringify(run.requests)).not.toContain('tok-vault-ada');
    });

    testOnce('a price above the limit of the caller: nothing runs, and the model reads why', async () => {
      const stage = await startStage();
      const { connection } = stage;
      const { tools, bought } = await stage.shop();
      class Frugal extends Tools {
        override callTool(name: string, input: unknown, options: CallToolOptions = {}): Promise<unknown> {
          return tools.callTool(name, input, { ...options, maxPayment: '0.049999' });
        }
      }
      const run = await converse(stage, [[invoke('shop__buy', { thing: 'hat' })]], { options: { tools: new Frugal(connection) } });
      const payment = expect.objectContaining({ price: '0.05', currency: 'USD' });
      expect(run.exchanges[0]?.output).toEqual({ error: expect.objectContaining({ code: 'PAYMENT_REQUIRED', payment, retryable: false }) });
      expect(bought).toEqual([]);
    });

    const CUT_JSON = '{"action": "weather__today", "payl';
    const { brokenArguments } = can;
    const goesOn = typeof brokenArguments === 'function' ? brokenArguments : (text: string) => brokenArguments || text !== CUT_JSON;
    const BROKEN = { 'an empty text': '', null: 'null', 'an empty object': '{}', 'cut JSON': CUT_JSON };
    for (const [what, text] of Object.entries(BROKEN)) {
      test.skipIf(!goesOn(text))(`${what} as arguments: the model reads the correction, and the run continues`, async () => {
        const stage = await startStage();
        const run = await converse(stage, [[{ name: 'invoke_service', arguments: text }], [invoke('weather__today', { city: 'Rome' })]]);
        expect(JSON.stringify(run.exchanges[0]?.output)).toMatch(/action|JSON/i);
        expect(run.exchanges[1]?.output).toEqual({ city: 'Rome', celsius: 21 });
        expect(run.text).toBe(DONE);
      });
    }

    testOnce('a payload that is a JSON text is understood', async () => {
      const stage = await startStage();
      const written = { action: 'weather__today', payload: '{"city": "Rome"}' };
      const { exchanges } = await converse(stage, [
        [{ name: 'invoke_service', arguments: written }],
        [invoke('weather__today', { city: 'Rome' })],
      ]);
      // Frameworks that check arguments themselves refuse it; then the model reads why, and mends it.
      expect(JSON.stringify(exchanges.at(-1)?.output)).toContain('21');
    });

    testOnce('1 MB of arguments arrives', async () => {
      const stage = await startStage();
      const { exchanges } = await converse(stage, [[invoke('probe__measure', { text: 'x'.repeat(1_000_000) })]]);
      expect(exchanges[0]?.output).toEqual({ characters: 1_000_000 });
    });

    test.skipIf(!can.unknownTools)('a call of a tool that does not exist is answered, and the run continues', async () => {
      const stage = await startStage();
      const run = await converse(stage, [[{ name: 'weather', arguments: { city: 'Rome' } }], [invoke('weather__today', { city: 'Rome' })]]);
      expect(JSON.stringify(run.exchanges[0]?.output)).toMatch(/weather/);
      expect(run.exchanges[1]?.output).toEqual({ city: 'Rome', celsius: 21 });
    });

    describe('calls that wait', () => {
      const rule = (decidedBy: 'app' | 'people'): Rule[] => [{ match: { action: 'probe__count' }, do: 'ask', decidedBy }];
      const count = [[invoke('probe__count', {})]];
      const required = {
        error: expect.objectContaining({ code: 'APPROVAL_REQUIRED', approval: expect.objectContaining({ status: 'pending' }) }),
      };

      test('a rule that the app decides: a framework with a pause asks its user, whose answer decides the row', async () => {
        const stage = await startStage();
        const { tools, statuses } = await stage.ruled(rule('app'));
        const { exchanges, asked } = await converse(stage, count, { options: { tools } });
        expect(asked).toHaveLength(can.approval ? 1 : 0);
        expect(exchanges[0]?.output).toEqual(can.approval ? { count: 1 } : required);
        expect(await statuses()).toEqual([can.approval ? 'used' : 'pending']);
        const { pause } = FRAMEWORKS.find(({ entry }) => adapter.entry.split(',')[0] === `svc-sdk/${entry}`) ?? {};
        if (!isOlder) expect(pause !== undefined).toBe(can.approval);
      });

      test('a rule that people decide: the model reads the question, and the same call later gives the result', async () => {
        const stage = await startStage();
        const { tools, decide } = await stage.ruled(rule('people'));
        const first = await converse(stage, count, { options: { tools } });
        expect([first.asked, first.exchanges[0]?.output]).toEqual([[], required]);
        await decide({ decision: 'approve' });
        const second = await converse(stage, count, { options: { tools } });
        expect([second.asked, second.exchanges[0]?.output]).toEqual([[], { count: 1 }]);
      });

      testOnce("with approvals: 'wait' the call waits for the decision", async () => {
        const stage = await startStage();
        const { tools, decide } = await stage.ruled(rule('people'), { approvals: 'wait' });
        const [{ exchanges }] = await Promise.all([converse(stage, count, { options: { tools } }), decide({ decision: 'approve' })]);
        expect(exchanges[0]?.output).toEqual({ count: 1 });
      });

      testOnce('a denied call: the model reads the reason, and nothing runs', async () => {
        const stage = await startStage();
        const { tools, decide } = await stage.ruled(rule('people'), { approvals: 'wait' });
        const denied = decide({ decision: 'deny', reason: 'Not on a Friday' });
        const [{ exchanges }] = await Promise.all([converse(stage, count, { options: { tools } }), denied]);
        const approval = expect.objectContaining({ status: 'denied', reason: 'Not on a Friday' });
        expect(exchanges[0]?.output).toEqual({ error: expect.objectContaining({ code: 'APPROVAL_DENIED', approval }) });
      });

      testOnce('an action that takes long: the model reads its handle, and later the result', async () => {
        const stage = await startStage();
        const { exchanges } = await converse(
          stage,
          [
            [invoke('probe__dig', {})],
            ({ turns }) => {
              stage.endDig();
              return [invoke('svc__read_result', { handle: Object(turns[0]?.[0]?.output).handle, wait: 30 })];
            },
          ],
          { options: { ...stage.connection, timeoutMs: 1_000 } },
        );
        expect(exchanges[0]?.output).toMatchObject({ status: 'running', handle: expect.stringMatching(/^inv_/) });
        expect(exchanges[1]?.output).toEqual({ found: 'gold' });
      });
    });

    describe.skipIf(!can.approval)('approval', () => {
      test('an action that is declared destructive runs only after a human has approved it', async () => {
        const stage = await startStage();
        const { exchanges, asked, text } = await converse(stage, [[invoke('probe__erase', { name: 'a' })]], { approve: () => true });
        expect(asked).toHaveLength(1);
        expect(stage.erased).toEqual(['a']);
        expect(exchanges[0]?.output).toEqual({ erased: 'a' });
        expect(text).toBe(DONE);
      });

      test('an unapproved action does not run, and the model gets the error', async () => {
        const stage = await startStage();
        const { exchanges, asked } = await converse(stage, [[invoke('probe__erase', { name: 'a' })]], { approve: () => false });
        expect(asked).toHaveLength(1);
        expect(stage.erased).toEqual([]);
        expect(exchanges[0]?.output).toBeDefined();
      });

      test('a search, another action and an invalid call need no approval', async () => {
        const stage = await startStage();
        const { asked, exchanges } = await converse(stage, [
          [{ name: 'search_services', arguments: { query: 'erase' } }],
          [invoke('weather__today', { city: 'Rome' })],
          [invoke('probe__erase', { nam: 'a' })],
          [invoke('probe__ersae', { name: 'a' })],
        ]);
        expect(asked).toEqual([]);
        expect(exchanges.slice(1).map(({ output }) => output)).toEqual([
          { city: 'Rome', celsius: 21 },
          { error: expect.objectContaining({ code: 'INVALID_PAYLOAD' }) },
          { error: expect.objectContaining({ code: 'ACTION_NOT_FOUND' }) },
        ]);
      });

      test('each call of one message needs a separate approval, and only approved calls run', async () => {
        const stage = await startStage();
        const others = can.keepsOthers === false ? [] : [invoke('weather__today', { city: 'Rome' })];
        const { exchanges, asked } = await converse(
          stage,
          [[invoke('probe__erase', { name: 'a' }), ...others, invoke('probe__erase', { name: 'b' })]],
          { approve: ({ input }) => JSON.stringify(input).includes('"b"') },
        );
        expect(asked).toHaveLength(2);
        expect(stage.erased).toEqual(['b']);
        expect(exchanges.map(({ output }) => output)).toEqual([
          expect.not.objectContaining({ erased: 'a' }),
          ...others.map(() => ({ city: 'Rome', celsius: 21 })),
          { erased: 'b' },
        ]);
      });

      test("the caller's own rule decides on the decoded action and payload", async () => {
        const stage = await startStage();
        const seen: unknown[] = [];
        const options = {
          tools: stage.tools,
          needsApproval: (action: string, payload: Record<string, unknown>) => {
            seen.push([action, payload]);
            return payload.city === 'Rome';
          },
        };
        // The call is nested one level too deep: the decoded call decides, not the text.
        const nested = { action: 'weather__today', payload: { action: 'weather__today', payload: { city: 'Rome' } } };
        const { asked, exchanges } = await converse(
          stage,
          [[{ name: 'invoke_service', arguments: nested }], [invoke('weather__today', { city: 'Oslo' })]],
          { options },
        );
        expect(asked).toHaveLength(1);
        expect(seen).toContainEqual(['weather__today', { city: 'Rome' }]);
        expect(exchanges.map(({ output }) => JSON.stringify(output))).toEqual([
          expect.stringContaining('Rome'),
          expect.stringContaining('Oslo'),
        ]);
      });

      test('only a price above askAbove needs approval', async () => {
        const stage = await startStage();
        const { tools, bought } = await stage.shop();
        const buy = (thing: string) => [[invoke('shop__buy', { thing })]];
        const approve = () => false;
        const dear = await converse(stage, buy('hat'), { options: { tools, askAbove: '0.049999', needsApproval: false }, approve });
        expect([dear.asked.length, bought]).toEqual([1, []]);
        const cheap = await converse(stage, buy('pen'), { options: { tools, askAbove: '0.05' }, approve });
        expect([cheap.asked.length, bought]).toEqual([0, ['pen']]);
      });

      test('a price that rises between question and answer: the approval does not cover it, the next one does', async () => {
        const stage = await startStage();
        const { tools, bought, reprice } = await stage.shop();
        let raised: Promise<void> | undefined;
        const call = [invoke('shop__buy', { thing: 'hat' })];
        const { asked, exchanges } = await converse(stage, [call, call], {
          options: { tools, askAbove: '0.01' },
          async approve() {
            raised ??= reprice('0.06');
            await raised;
            return true;
          },
        });
        expect(asked).toHaveLength(2);
        expect(exchanges.map(({ output }) => output)).toEqual([
          { error: expect.objectContaining({ message: expect.stringMatching(/approv|may cost 0\.06 USD/) }) },
          { bought: 'hat' },
        ]);
        expect(bought).toEqual(['hat']);
      });

      test('static actions need approval too; with needsApproval: false no action does', async () => {
        const stage = await startStage();
        const call: SpokenCall = { name: 'probe__erase', arguments: { name: 'a' } };
        const asks = { tools: stage.tools, staticActions: ['probe__erase'] };
        const refused = await converse(stage, [[call]], { options: asks, approve: () => false });
        expect([refused.asked.length, stage.erased]).toEqual([1, []]);
        const silent = await converse(stage, [[call]], { options: { ...asks, needsApproval: false } });
        expect([silent.asked.length, stage.erased]).toEqual([0, ['a']]);
      });
    });
  });
}

interface Changes extends Partial<Omit<Conversing, 'approve'>> {
  approve?: (asked: AskedForApproval) => boolean | Promise<boolean>;
}

interface Told {
  text: string;
  asked: AskedForApproval[];
  /** As the model last saw it. */
  conversation: Conversation;
  /** Every call of the model, with its answer. */
  exchanges: Exchange[];
  /** The requests to the model's API. */
  requests: string[];
}

type Turn = SpokenCall[] | ((conversation: Conversation) => SpokenCall[]);

function invoke(action: string, payload: Record<string, unknown>): SpokenCall {
  return { name: 'invoke_service', arguments: { action, payload } };
}

interface Failure {
  what: string;
  call: SpokenCall;
  told: object;
  prepare?: (stage: Stage) => Promise<LoadSvcToolsOptions | undefined>;
}

const FAILURES: Failure[] = [
  {
    what: "a handler's error",
    call: invoke('weather__today', { city: 'Atlantis' }),
    told: { code: 'ACTION_FAILED', retryable: false, cause: { code: 'CITY_UNKNOWN', message: 'Atlantis has no weather station' } },
  },
  {
    what: 'an account that is not connected',
    call: invoke('vault__whose', { door: 'front' }),
    told: { code: 'CONNECTION_REQUIRED', retryable: false, connect: { toolkit: 'vault', help: 'A token of the vault' } },
    async prepare(stage) {
      await stage.vault();
      return undefined;
    },
  },
  {
    what: 'an unknown action',
    call: invoke('weather__tody', { city: 'Rome' }),
    told: { code: 'ACTION_NOT_FOUND', didYouMean: ['weather__today'] },
  },
  {
    what: 'a bad payload',
    call: invoke('weather__today', { town: 'Rome' }),
    told: { code: 'INVALID_PAYLOAD', received: ['town'], issues: [expect.objectContaining({ path: '/city' })] },
  },
  {
    what: 'a time-out',
    call: invoke('probe__hang', {}),
    told: { code: 'INVOCATION_TIMEOUT' },
    prepare: async (stage) => ({ ...stage.connection, timeoutMs: 300 }),
  },
  {
    what: 'a toolkit that is offline',
    call: invoke('weather__today', { city: 'Rome' }),
    told: { code: 'TOOLKIT_OFFLINE', retryable: true },
    prepare: async (stage) => {
      await stage.weather.stop();
      await vi.waitFor(async () => expect((await stage.tools.search('weather')).actions).toEqual([]));
      return { ...stage.connection, timeoutMs: 1_000 };
    },
  },
  {
    what: 'a refused key',
    call: invoke('weather__today', { city: 'Rome' }),
    told: { code: 'KEY_REVOKED', retryable: false },
    prepare: async (stage) => {
      await stage.revokeKey();
      return stage.connection;
    },
  },
  {
    what: 'a service that does not answer',
    call: { name: 'search_services', arguments: { query: 'weather' } },
    told: { code: 'SERVICE_UNREACHABLE', retryable: true },
    prepare: async (stage) => ({ ...stage.connection, baseUrl: 'http://127.0.0.1:9', timeoutMs: 500 }),
  },
];
