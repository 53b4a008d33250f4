/** The ways in which a model can do a task. Each makes the same calls, at the real service, through the SDK's adapters; only the model is scripted. */
import { isDeepStrictEqual } from 'node:util';
import type { Tools } from 'svc-sdk';
import { svcResponsesTools } from 'svc-sdk/openai';
import { type Cost, Meter } from './meter.ts';
import type { Task } from './tasks.ts';
import { type ProgramCall, WrittenProgram } from './written-program.ts';

export type Way = (task: Task, tools: Tools) => Promise<Cost>;

/** The model calls one action a turn. */
export const oneCallATurn: Way = (task, tools) => byCalls(task, tools, 1);

/** The model calls all actions at once whose payloads it knows. */
export const manyCallsATurn: Way = (task, tools) => byCalls(task, tools, Number.POSITIVE_INFINITY);

/** The provider runs the model's program, which calls `invoke_service`. Results of calls reach the program alone. */
export const providersCode: Way = async (task, client) => {
  const meter = new Meter();
  const tools = svcResponsesTools({ tools: client, programmatic: true });
  meter.add([...tools], task.question);
  await search(task, meter, client);
  const program = { type: 'program', call_id: newId('prog'), code: providersText(task.program) };
  meter.turn(program);
  const results = await runByCalls(task, Number.POSITIVE_INFINITY, async (calls) => {
    meter.request();
    const caller = { type: 'program', caller_id: program.call_id };
    const items = calls.map((call) => ({
      type: 'function_call',
      call_id: newId('call'),
      name: 'invoke_service',
      arguments: JSON.stringify(call),
      caller,
    }));
    return (await tools.callTools(items)).map(({ output }) => String(output));
  });
  meter.add({ type: 'program_output', call_id: program.call_id, result: JSON.stringify(results) });
  meter.turn(sentence(results));
  return meter.cost;
};

/** The service runs the model's program. */
export const runCode: Way = async (task, tools) => {
  const meter = new Meter();
  meter.add(tools.definitions(), task.question);
  await search(task, meter, tools);
  const call = toolCall('run_code', { code: task.program });
  meter.turn([call]);
  const [answer] = await tools.callTools([call]);
  if (!answer) throw new Error('run_code has no answer');
  meter.add(answer.content);
  const { status, result } = JSON.parse(answer.content) as { status: string; result: unknown };
  const expected = await runByCalls(task, Number.POSITIVE_INFINITY, (calls) => answersTo(calls, tools));
  if (status !== 'done' || !isDeepStrictEqual(result, expected)) throw new Error(`${task.name}: the run gave ${answer.content}`);
  meter.turn(sentence(result));
  return meter.cost;
};

async function byCalls(task: Task, tools: Tools, atOnce: number): Promise<Cost> {
  const meter = new Meter();
  meter.add(tools.definitions(), task.question);
  await search(task, meter, tools);
  const result = await runByCalls(task, atOnce, async (calls) => {
    const toolCalls = calls.map((call) => toolCall('invoke_service', call));
    meter.turn(toolCalls);
    const contents = (await tools.callTools(toolCalls)).map(({ content }) => content);
    meter.add(...contents);
    return contents;
  });
  meter.turn(sentence(result));
  return meter.cost;
}

async function search({ query }: Task, meter: Meter, tools: Tools): Promise<void> {
  const call = toolCall('search_services', { query });
  meter.turn([call]);
  meter.add(...(await tools.callTools([call])).map(({ content }) => content));
}

/** The result of the program, whose calls `answer` answers with texts for a model, at most `atOnce` of them at a time. */
async function runByCalls(task: Task, atOnce: number, answer: (calls: readonly ProgramCall[]) => Promise<string[]>): Promise<unknown> {
  const program = new WrittenProgram(task.program);
  let made = 0;
  for (let calls = await program.waiting(); calls.length > 0; calls = await program.waiting()) {
    const next = calls.slice(0, atOnce).map(({ action, payload }) => ({ action, payload }));
    program.answer((await answer(next)).map((text) => JSON.parse(text)));
    made += next.length;
  }
  if (made !== task.calls) throw new Error(`${task.name} made ${made} calls`);
  return program.result;
}

async function answersTo(calls: readonly ProgramCall[], tools: Tools): Promise<string[]> {
  return (await tools.callTools(calls.map((call) => toolCall('invoke_service', call)))).map(({ content }) => content);
}

/** The same program for a provider, where it calls `invoke_service`, which gives JSON text. */
function providersText(program: string): string {
  const head = 'const call = async (action, payload) => ({ data: JSON.parse(await invoke_service({ action, payload })) });\n';
  return head + program.replaceAll(/tools\.(\w+)\.(\w+)\(/g, "call('$1__$2', ").replaceAll('({ ok }) => ok', '({ data }) => data.id');
}

function toolCall(name: string, input: object) {
  return { id: newId('call'), type: 'function' as const, function: { name, arguments: JSON.stringify(input) } };
}

let ids = 0;
function newId(kind: string): string {
  ids++;
  return `${kind}_${String(ids).padStart(24, '0')}`;
}

function sentence(result: unknown): string {
  return `The answer: ${JSON.stringify(result)}.`;
}
