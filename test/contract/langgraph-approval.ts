/** The contract of approval by `interrupt()`, for every way in which a graph runs its tools. Every step has new tools, like a new process. */
import { AIMessage, type ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { Command, interrupt, MemorySaver, MessagesAnnotation, Send, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import type { Toolkit, Tools } from 'svc-sdk';
import { type ActionRequest, type ApprovalDecision, type ApprovalRequest, svcTools } from 'svc-sdk/langchain';
import { describe, expect, test } from 'vitest';
import { runToolkit, startService } from '../support/service';

type MessagesState = typeof MessagesAnnotation.State;

/** Like `createReactAgent` and most graphs of users. */
const oneTask = (tools: StructuredToolInterface[]) =>
  new StateGraph(MessagesAnnotation).addNode('tools', new ToolNode(tools)).addEdge(START, 'tools');

/** Like `createAgent`. */
const taskPerCall = (tools: StructuredToolInterface[]) =>
  new StateGraph(MessagesAnnotation)
    .addNode('tools', new ToolNode(tools))
    .addConditionalEdges(START, (state) => callsOf(state).map((call) => new Send('tools', { ...state, lg_tool_call: call })), ['tools']);

/** Like a team of agents. */
const inGraph = (tools: StructuredToolInterface[]) =>
  new StateGraph(MessagesAnnotation).addNode('agent', taskPerCall(tools).compile()).addEdge(START, 'agent');

type Build = typeof oneTask | typeof taskPerCall | typeof inGraph;

const callsOf = ({ messages }: MessagesState) => (messages[0] as AIMessage).tool_calls ?? [];

export function describeLangGraphApproval(): void {
  describe.each<[string, Build]>([
    ['all calls in one task', oneTask],
    ['a task for each call', taskPerCall],
    ['a graph in a graph', inGraph],
  ])('approval in LangGraph, %s', (_how, build) => {
    test('a human gets the decoded call, and may approve it, change it, or decline it with a text for the model', async () => {
      const box = await startBox();
      const thread = startThread(build, box.tools);
      await thread.call({
        a: { action: 'box__erase', payload: '{"name": "a"}' },
        b: { action: 'box__erase', payload: { name: 'b' } },
        c: { action: 'box__erase', payload: { name: 'c' } },
      });
      expect(box.erased).toEqual([]);
      const seen: ActionRequest[] = [];
      // A graph in a graph shows the questions of its tasks one after the other.
      while (thread.questions().length > 0) {
        seen.push(...thread.questions());
        await thread.decide({
          a: { type: 'approve' },
          b: { type: 'edit', editedAction: { name: 'box__erase', args: { name: 'z' } } },
          c: { type: 'reject', message: 'Keep that one.' },
        });
      }
      expect(seen).toHaveLength(3);
      expect(seen).toEqual(
        expect.arrayContaining(
          ['a', 'b', 'c'].map((name) => ({
            name: 'box__erase',
            args: { name },
            description: `Erases a file\nbox__erase {"name":"${name}"}`,
            toolCallId: name,
            version: expect.any(String),
          })),
        ),
      );
      expect(box.erased.sort()).toEqual(['a', 'z']);
      expect(thread.told()).toEqual({
        a: ['success', '{"erased":"a"}'],
        b: ['success', '{"erased":"z"}'],
        c: ['error', 'Keep that one.'],
      });
    });

    test('no call runs twice, with or without a question', async () => {
      const box = await startBox();
      const thread = startThread(build, box.tools);
      const counting = 'call_9fKq2LmZ7xTbQw3RtYuIoP1a';
      await thread.call({
        [counting]: { action: 'box__count', payload: {} },
        call_1: { action: 'box__erase', payload: { name: 'a' } },
        call_2: { action: 'box__erase', payload: { name: 'b' } },
      });
      while (thread.questions().length > 0) await thread.decide({ call_1: { type: 'approve' }, call_2: { type: 'approve' } }, 1);
      expect(thread.told()).toEqual({
        [counting]: ['success', '{"count":1}'],
        call_1: ['success', '{"erased":"a"}'],
        call_2: ['success', '{"erased":"b"}'],
      });
      expect(box.erased.sort()).toEqual(['a', 'b']);
    });

    test('an approved call runs as approved, although the same call would now resolve differently', async () => {
      const box = await startBox();
      const thread = startThread(build, box.tools);
      await thread.call({ a: { action: 'box__keep', payload: { days: '3' } } });
      expect(thread.questions()).toMatchObject([{ args: { days: 3 } }]);
      await box.restart((toolkit) => toolkit.action({ action: 'keep', actionDescription: 'Keeps files' }, (_ctx, payload) => payload));
      await thread.decide({ a: { type: 'approve' } });
      expect(thread.told()).toEqual({ a: ['success', '{"days":3}'] });
    });

    test('the price in the question is the most that the call costs, although it is higher by now', async () => {
      const box = await startBox();
      await box.restart(sell('0.05'));
      const options = { askAbove: '0.01' };
      const thread = startThread(build, box.tools);
      await thread.call({ a: { action: 'box__sell', payload: {} } }, options);
      const description = 'Sells the box. Costs up to 0.05 USD a call.\nbox__sell {}, for 0.05 USD';
      expect(thread.questions()).toMatchObject([{ description, payment: { amount: '0.05', currency: 'USD' } }]);
      await box.restart(sell('0.06'));
      await thread.decide({ a: { type: 'approve' } }, 1, options);
      expect(thread.told()).toEqual({ a: ['error', expect.stringContaining('PAYMENT_REQUIRED')] });
      await box.restart(sell('0.05'));
      const again = startThread(build, box.tools);
      await again.call({ a: { action: 'box__sell', payload: {} } }, options);
      await again.decide({ a: { type: 'approve' } }, 1, options);
      expect(again.told()).toEqual({ a: ['success', 'sold'] });
    });

    test('a call that was free in the question costs nothing', async () => {
      const box = await startBox();
      await box.restart(sell(undefined));
      const thread = startThread(build, box.tools);
      await thread.call({ a: { action: 'box__sell', payload: {} } }, { needsApproval: true });
      expect(thread.questions()).toEqual([
        { name: 'box__sell', args: {}, description: 'Sells the box\nbox__sell {}', toolCallId: 'a', version: expect.any(String) },
      ]);
      await box.restart(sell('0.05'));
      await thread.decide({ a: { type: 'approve' } });
      expect(thread.told()).toEqual({ a: ['error', expect.stringContaining('PAYMENT_REQUIRED')] });
    });

    test('a declined call does not run, even if it no longer needs approval', async () => {
      const box = await startBox();
      const thread = startThread(build, box.tools);
      await thread.call({ a: { action: 'box__erase', payload: { name: 'a' } } });
      await thread.decide({ a: { type: 'reject' } }, 1, { needsApproval: false });
      expect(box.erased).toEqual([]);
      expect(thread.told()).toEqual({ a: ['error', 'Declined by a human'] });
    });

    test.each([
      ['something else', true],
      ['too few decisions', { decisions: [] }],
      ['an unknown decision', { decisions: [{ type: 'sure' }] }],
      ['an edit of the action', { decisions: [{ type: 'edit', editedAction: { name: 'box__keep', args: {} } }] }],
      ['an edit without arguments', { decisions: [{ type: 'edit', editedAction: { name: 'box__erase' } }] }],
    ])('%s in place of an approval: nothing runs, and the model gets the error', async (_what, resume) => {
      const box = await startBox();
      const thread = startThread(build, box.tools);
      await thread.call({ a: { action: 'box__erase', payload: { name: 'a' } } });
      await thread.resume(resume);
      expect(box.erased).toEqual([]);
      expect(thread.told()).toEqual({ a: ['error', expect.stringContaining('INVALID_REQUEST')] });
    });

    test('without a checkpointer no call that needs approval runs, and the error has the fix', async () => {
      const box = await startBox();
      const thread = startThread(build, box.tools, { checkpointer: false });
      await thread.call({ a: { action: 'box__erase', payload: { name: 'a' } }, b: { action: 'box__count', payload: {} } });
      expect(box.erased).toEqual([]);
      expect(thread.told()).toEqual({ a: ['error', expect.stringContaining('checkpointer')], b: ['success', '{"count":1}'] });
    });
  });

  describe('approval in LangGraph', () => {
    test('no call of a task runs before all its calls are decided', async () => {
      const box = await startBox();
      const thread = startThread(oneTask, box.tools, { durability: 'exit' });
      await thread.call({ call_0: { action: 'box__count', payload: {} }, call_1: { action: 'box__erase', payload: { name: 'a' } } });
      await thread.decide({ call_1: { type: 'approve' } });
      expect(thread.told()).toEqual({ call_0: ['success', '{"count":1}'], call_1: ['success', '{"erased":"a"}'] });
    });

    test('an answer that names no interrupt approves nothing when there are several', async () => {
      const box = await startBox();
      const thread = startThread(taskPerCall, box.tools);
      await thread.call({ a: { action: 'box__erase', payload: { name: 'a' } }, b: { action: 'box__erase', payload: { name: 'b' } } });
      await thread.resume({ decisions: [{ type: 'approve' }] });
      expect(box.erased).toEqual([]);
      expect(Object.values(thread.told()).map(([, content]) => content)).toEqual(Array(2).fill(expect.stringContaining('[interrupt.id]')));
    });

    test('it is enough for all calls of one task', async () => {
      const box = await startBox();
      const thread = startThread(oneTask, box.tools);
      await thread.call({ a: { action: 'box__erase', payload: { name: 'a' } }, b: { action: 'box__erase', payload: { name: 'b' } } });
      await thread.resume({ decisions: [{ type: 'reject' }, { type: 'approve' }] });
      expect(box.erased).toEqual(['b']);
    });

    test('two calls of one task with the same id: none of them runs', async () => {
      const box = await startBox();
      const thread = startThread(oneTask, box.tools);
      const erase = (name: string) => ({ id: 'a', name: 'invoke_service', args: { action: 'box__erase', payload: { name } } });
      await thread.say([erase('a'), erase('b')]);
      expect(box.erased).toEqual([]);
      expect(thread.told()).toEqual({ a: ['error', expect.stringContaining('unique call ids')] });
    });

    test('the answer to another tool of the same task approves nothing', async () => {
      const box = await startBox();
      const others = [tool(() => interrupt('What is your name?') as string, { name: 'ask', schema: { type: 'object', properties: {} } })];
      const thread = startThread(oneTask, box.tools, { others });
      await thread.call({ a: { action: 'box__erase', payload: { name: 'a' } }, b: 'ask' });
      await thread.resume({ decisions: [{ type: 'approve' }] });
      expect(box.erased).toEqual([]);
      expect(thread.questions()).toMatchObject([{ toolCallId: 'a' }]);
      await thread.resume({ decisions: [{ type: 'approve' }] });
      expect(box.erased).toEqual(['a']);
      expect(thread.told()).toMatchObject({ a: ['success', '{"erased":"a"}'], b: ['success', expect.stringContaining('approve')] });
    });

    test('outside of a graph nothing runs that needs approval: a call of a model is answered, a call of a program fails', async () => {
      const box = await startBox();
      const [, invokeService] = svcTools(box.tools);
      const args = { action: 'box__erase', payload: { name: 'a' } };
      const told = await invokeService?.invoke({ type: 'tool_call', id: 'a', name: 'invoke_service', args });
      expect(told).toMatchObject({ status: 'error', tool_call_id: 'a', content: expect.stringContaining('needsApproval: false') });
      await expect(invokeService?.invoke(args)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      expect(box.erased).toEqual([]);
    });
  });
}

async function startBox() {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'box' });
  const erased: string[] = [];
  let count = 0;
  let running = await runToolkit(service.url, key, (toolkit) => {
    const name = { type: 'string', required: true } as const;
    toolkit.action(
      { action: 'erase', actionDescription: 'Erases a file', payloadDescription: { name }, annotations: { destructive: true } },
      (_ctx, payload) => {
        erased.push(String(payload.name));
        return { erased: payload.name };
      },
    );
    toolkit.action(
      {
        action: 'keep',
        actionDescription: 'Keeps files',
        payloadDescription: { days: { type: 'number' } },
        annotations: { destructive: true },
      },
      (_ctx, payload) => payload,
    );
    toolkit.action({ action: 'count', actionDescription: 'Counts its runs' }, () => {
      count += 1;
      return { count };
    });
  });
  return {
    tools: await service.tools({}, { budget: { perCall: '1', perDay: '10' } }),
    erased,
    async restart(define: (toolkit: Toolkit) => void) {
      await running.stop();
      running = await runToolkit(service.url, key, define);
    },
  };
}

function sell(amount: string | undefined) {
  return (toolkit: Toolkit) =>
    void toolkit.action({ action: 'sell', actionDescription: 'Sells the box', ...(amount && { payment: { amount } }) }, () => 'sold');
}

interface ThreadOptions {
  others?: StructuredToolInterface[];
  durability?: 'exit';
  checkpointer?: false;
}

function startThread(build: Build, tools: Tools, { others = [], durability, checkpointer }: ThreadOptions = {}) {
  const saver = checkpointer ?? new MemorySaver();
  let state: MessagesState & { __interrupt__?: { id?: string; value?: unknown }[] } = { messages: [] };
  const waiting = () => (state.__interrupt__ ?? []).map(({ id = '', value }) => ({ id, requests: requestsOf(value) }));

  async function step(input: { messages: AIMessage[] } | Command, options = {}): Promise<void> {
    const graph = build([...others, ...svcTools({ tools, ...options })]).compile({ checkpointer: saver });
    state = await graph.invoke(input as { messages: AIMessage[] }, {
      configurable: { thread_id: 'thread' },
      ...(durability && { durability }),
    });
  }

  return {
    /** Arguments of `invoke_service`, or the name of another tool, by call id. */
    call(calls: Record<string, object | string>, options = {}): Promise<void> {
      const tool_calls = Object.entries(calls).map(([id, call]) =>
        typeof call === 'string' ? { id, name: call, args: {} } : { id, name: 'invoke_service', args: { ...call } },
      );
      return this.say(tool_calls, options);
    },
    say: (tool_calls: ToolCall[], options = {}): Promise<void> => step({ messages: [new AIMessage({ content: '', tool_calls })] }, options),
    questions: (): ActionRequest[] => waiting().flatMap(({ requests }) => requests),
    /** Decides about the named calls, in at most this many interrupts at a time. */
    decide(decisions: Record<string, ApprovalDecision>, interrupts = Number.POSITIVE_INFINITY, options = {}): Promise<void> {
      const answers = waiting()
        .map(({ id, requests }) => [id, { decisions: requests.flatMap(({ toolCallId = '' }) => decisions[toolCallId] ?? []) }] as const)
        .filter(([, answer]) => answer.decisions.length > 0);
      return step(new Command({ resume: Object.fromEntries(answers.slice(0, interrupts)) }), options);
    },
    resume: (resume: unknown): Promise<void> => step(new Command({ resume })),
    told: () =>
      Object.fromEntries(
        state.messages
          .filter((message): message is ToolMessage => message.getType() === 'tool')
          .map(({ tool_call_id, status = '', content }) => [tool_call_id, [status, content]]),
      ) as Record<string, [status: string, content: unknown]>,
  };
}

function requestsOf(value: unknown): ActionRequest[] {
  return (value as Partial<ApprovalRequest>).actionRequests ?? [];
}
