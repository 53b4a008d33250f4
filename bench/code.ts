/**
 * `npm run bench:code`: tokens and turns of ten tasks with 5 to 50 calls: by calls, by a program that the model's provider runs, by `run_code`. The
 * service, the toolkit and the adapters are the real ones; the model is scripted; tokens are those of o200k_base.
 */
import { Toolkit, Tools } from 'svc-sdk';
import { createService } from 'svc-service';
import type { Cost } from './code/meter.ts';
import { addOffice } from './code/office.ts';
import { TASKS } from './code/tasks.ts';
import { manyCallsATurn, oneCallATurn, providersCode, runCode, type Way } from './code/ways.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { formatTable } from './common/table.ts';

const WAYS: Record<string, Way> = {
  'one call a turn': oneCallATurn,
  'many calls a turn': manyCallsATurn,
  "the provider's code": providersCode,
  run_code: runCode,
};

console.log(describeMachine(machineFacts()));
const service = await createService({ port: 0, code: true });
const toolkit = new Toolkit({ apiKey: (await service.keys.create({ kind: 'toolkit', name: 'office' })).key, baseUrl: service.url });
addOffice(toolkit);
const serving = toolkit.run();
await toolkit.ready;
const { key: apiKey } = await service.keys.create({ kind: 'agent', name: 'bench', code: true });
const plain = new Tools({ apiKey, baseUrl: service.url });
const withCode = new Tools({ apiKey, baseUrl: service.url, code: true });

const sums = new Map<string, Cost>();
const rows: string[][] = [];
for (const task of TASKS)
  for (const [name, way] of Object.entries(WAYS)) {
    const cost = await way(task, way === runCode ? withCode : plain);
    const sum = sums.get(name);
    sums.set(name, sum ? plus(sum, cost) : cost);
    rows.push([`${task.calls} calls: ${task.name}, ${name}`, ...cells(cost)]);
  }
await toolkit.stop();
await serving;
await service.close();

const HEAD = ['turns', 'requests', 'input', 'new input', 'output'];
console.log(formatTable(['task, way', ...HEAD], rows));
console.log(
  formatTable(
    ['all ten', ...HEAD],
    [...sums].map(([name, cost]) => [name, ...cells(cost)]),
  ),
);

function cells({ turns, requests, input, fresh, output }: Cost): string[] {
  return [turns, requests, input, fresh, output].map((value) => value.toLocaleString('en'));
}

function plus(a: Cost, b: Cost): Cost {
  return {
    turns: a.turns + b.turns,
    requests: a.requests + b.requests,
    input: a.input + b.input,
    fresh: a.fresh + b.fresh,
    output: a.output + b.output,
  };
}
