/** The examples, toolkits and demo in separate processes, on the built package. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { Tools } from 'svc-sdk';
import { createService, type Service } from 'svc-service';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ChildProcesses } from '../../examples/demo/child-processes.ts';
import { QUESTIONS } from '../../examples/demo/questions.ts';
import { ask } from '../../examples/openai-loop.ts';
import { startScriptedModel } from '../../service/scripted-model/server.ts';

const example = (path: string) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

describe('the toolkits', () => {
  const children = new ChildProcesses();
  let service: Service;
  let tools: Tools;
  beforeAll(async () => {
    service = await createService({ port: 0 });
    tools = new Tools({ baseUrl: service.url, apiKey: (await service.keys.create({ kind: 'agent', name: 'test' })).key });
    await Promise.all(['maths', 'dates', 'shop', 'text'].map(start));
  });
  afterAll(async () => {
    await children.stop();
    await service.close();
  });

  async function start(name: string): Promise<void> {
    const { key } = await service.keys.create({ kind: 'toolkit', name });
    const env = { SVC_BASE_URL: service.url, SVC_TOOLKIT_API_KEY: key };
    await children.start({ name, args: [example(`toolkits/${name}.ts`)], env, ready: /is ready with \d+ actions/ });
  }

  test.each([
    ['maths__convert_units', { value: 100, from: 'degC', to: 'degF' }, { value: 212 }],
    ['maths__list_units', { quantity: 'length' }, { units: expect.arrayContaining(['mile', 'metre']) }],
    ['maths__evaluate_formula', { expression: 'price * 12%', variables: { price: 80 } }, { value: 9.6 }],
    ['maths__simplify_formula', { expression: '2x + 3x' }, { simplified: '5 * x' }],
    ['maths__differentiate_formula', { expression: 'x^2', variable: 'x' }, { derivative: '2 * x' }],
    ['maths__solve_linear_equations', { equations: ['x + y = 3', 'x - y = 1'] }, { solution: { x: 2, y: 1 } }],
    ['maths__describe_numbers', { numbers: [1, 2, 3] }, { mean: 2, standardDeviation: 1 }],
    ['dates__current_time', { zone: 'Asia/Tokyo' }, { offset: '+09:00' }],
    ['dates__convert_time', { time: '2026-07-01T12:00', from: 'London', to: 'UTC' }, { to: { time: '2026-07-01T11:00:00Z' } }],
    ['dates__find_time_zones', { query: 'lisbon' }, { zones: [{ zone: 'Europe/Lisbon' }] }],
    ['dates__time_between', { start: '2026-01-01', end: '2026-01-03' }, { totalHours: 48 }],
    ['dates__add_to_date', { date: '2026-01-31', months: 1 }, { time: '2026-02-28T00:00:00Z' }],
    ['dates__business_days_between', { start: '2026-03-02', end: '2026-03-08' }, { businessDays: 5 }],
    ['dates__add_business_days', { date: '2026-03-06', days: 1 }, { date: '2026-03-09' }],
    ['dates__weekday_of_month', { year: 2026, month: 3, weekday: 'tuesday', which: 2 }, { date: '2026-03-10' }],
    ['dates__calendar_facts', { date: '2026-03-10' }, { weekday: 'Tuesday', isoWeek: '2026-W11' }],
    ['shop__list_tables', {}, { tables: expect.arrayContaining([{ name: 'customers', type: 'table', rows: 60 }]) }],
    ['shop__describe_table', { table: 'products' }, { examples: expect.any(Array) }],
    ['shop__query', { sql: 'SELECT COUNT(*) AS n FROM orders' }, { columns: ['n'], rows: [[480]] }],
    ['shop__revenue_by_month', { from: '2025-01-01', to: '2025-03-31' }, { months: [{ month: '2025-01' }, {}, {}] }],
    ['shop__top_customers', { limit: 2 }, { customers: [{}, {}] }],
    ['shop__best_sellers', { limit: 1 }, { products: [{ product: expect.any(String) }] }],
    ['shop__find_customers', { text: 'lund' }, { customers: expect.any(Array) }],
    ['shop__find_orders', { status: 'open', limit: 1 }, { orders: [{ status: 'open' }] }],
    ['shop__low_stock', {}, { products: expect.any(Array) }],
    ['text__csv_to_json', { csv: 'a,b\n1,2' }, { rows: [{ a: '1', b: '2' }] }],
    ['text__json_to_csv', { rows: [{ a: 1 }] }, { csv: 'a\r\n1' }],
    ['text__yaml_to_json', { yaml: 'a: [1]' }, { value: { a: [1] } }],
    ['text__json_to_yaml', { value: { a: 1 } }, { yaml: 'a: 1\n' }],
    ['text__markdown_to_html', { markdown: '*a*' }, { html: '<p><em>a</em></p>\n' }],
    ['text__html_to_markdown', { html: '<b>a</b>' }, { markdown: '**a**' }],
    ['text__text_statistics', { text: 'One two. Three!' }, { words: 3, sentences: 2 }],
    ['text__extract_from_text', { text: 'a@example.com', kinds: ['emails'] }, { emails: ['a@example.com'] }],
    ['text__change_case', { text: 'hello world', to: 'camel' }, { text: 'helloWorld' }],
    ['text__encode_text', { text: 'a', as: 'hex' }, { text: '61' }],
  ])('%s does its work', async (action, payload, expected) => {
    const { result } = await tools.invoke(action, payload);
    expect(result).toMatchObject(expected);
  });

  test.each([
    ['maths__evaluate_formula', { expression: 'import("x")' }, 'NOT_OFFERED'],
    ['maths__evaluate_formula', { expression: '1:1e9' }, 'TOO_MUCH_WORK'],
    ['dates__current_time', { zone: 'Atlantis' }, 'UNKNOWN_TIME_ZONE'],
    ['shop__query', { sql: 'DELETE FROM orders' }, 'NOT_READ_ONLY'],
    ['text__text_statistics', { words: 1 }, 'NO_TEXT'],
  ])('%s refuses %j with %s', async (action, payload, code) => {
    await expect(tools.invoke(action, payload)).rejects.toMatchObject({ code: 'ACTION_FAILED', details: { cause: { code } } });
  });

  test.each([
    ['convert fahrenheit to celsius', 'maths__convert_units'],
    ['calculate a formula with units', 'maths__evaluate_formula'],
    ['what time is it in Tokyo', 'dates__current_time'],
    ['convert a meeting time to another time zone', 'dates__convert_time'],
    ['add working days to a date', 'dates__add_business_days'],
    ['best customers of the shop', 'shop__top_customers'],
    ['run an SQL query', 'shop__query'],
    ['turn rows into CSV', 'text__json_to_csv'],
    ['convert a web page to markdown', 'text__html_to_markdown'],
    ['count words', 'text__text_statistics'],
  ])('a search for "%s" finds %s', async (query, action) => {
    const { actions } = await tools.search(query, { limit: 3 });
    expect(actions.map((found) => found.action)).toContain(action);
  });

  test.each(QUESTIONS)('the loop answers "$text"', async ({ text: question, fact }) => {
    const { baseURL, close } = await startScriptedModel();
    onTestFinished(close);
    const client = new OpenAI({ baseURL, apiKey: 'any' });
    expect(await ask(question, { client, model: 'any', tools })).toMatch(fact);
  });
});

/** Runs an example to its end, which it reaches without an error, and returns the lines that it prints. */
async function linesOf(path: string): Promise<string[]> {
  const program = spawn(process.execPath, [example(path)]);
  onTestFinished(() => void program.kill('SIGKILL'));
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'close')]);
  expect({ errors, code }).toEqual({ errors: '', code: 0 });
  return output.trim().split('\n');
}

test('an app acts for each of its users with their own account', async () => {
  expect(await linesOf('connections.ts')).toEqual([
    'ada: {"account":"Ada Lovelace","notes":["Buy cogs","Write to Charles"]}',
    'bob: {"account":"Bob Noyce","notes":["Order silicon"]}',
    'carol: connect an account first: A token of the notes API',
    'dora: connect an account first: A token of the notes API',
  ]);
});

test('an app asks its user about some calls, and the people of the service about others', async () => {
  expect(await linesOf('approvals.ts')).toEqual([
    'Order 1: 20 given back',
    'ada is asked: shop__refund {"order":2,"amount":200}',
    'Order 2: 200 given back',
    'ada is asked: shop__refund {"order":3,"amount":700}',
    expect.stringMatching(/^The model reads APPROVAL_DENIED: .*Ask me again next month/),
    expect.stringMatching(/^The model reads APPROVAL_REQUIRED: A person has to approve this call first\. Tell the user/),
    'Order 4: 5000 given back',
  ]);
});

test('a model and a program read the results of long calls by their handles', async () => {
  expect(await linesOf('long-calls.ts')).toEqual([
    'The model reads: running',
    'The program reads: INVOCATION_CANCELLED',
    'The model reads: {"film":"Metropolis","minutes":90}',
  ]);
});

// Each test starts a service, four toolkits and a model, which takes a busy machine some time.
describe('the demo', () => {
  /** Runs with a separate directory for temporary files, to check that none is left. */
  async function startDemo(env: Record<string, string> = {}): Promise<{ demo: ChildProcess; directory: string }> {
    const directory = await mkdtemp(join(tmpdir(), 'svc-sdk-test-'));
    const { OPENAI_API_KEY: _, ...inherited } = process.env;
    const demo = spawn(process.execPath, [example('demo.ts')], { env: { ...inherited, TMPDIR: directory, NO_COLOR: '1', ...env } });
    onTestFinished(async () => {
      demo.kill('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    });
    return { demo, directory };
  }

  test('answers its questions, names the speaker, and leaves no process or file', async () => {
    const { demo, directory } = await startDemo();
    const [output, [code]] = await Promise.all([text(demo.stdout as NodeJS.ReadableStream), once(demo, 'close')]);
    expect(output).toContain('scripted model (no OPENAI_API_KEY set)');
    expect(output).toContain('All 4 answered');
    expect(output).not.toContain('\u001b[');
    expect(code).toBe(0);
    expect(await readdir(directory)).toEqual([]);
  });

  test('takes everything down when it is interrupted', async () => {
    const { demo, directory } = await startDemo();
    const closed = once(demo, 'close');
    const address = await new Promise<string>((resolve) => {
      demo.stdout?.on('data', (data: Buffer) => {
        const [, url] = /(http:\S+),/.exec(data.toString()) ?? [];
        if (url) resolve(url);
      });
    });
    demo.kill('SIGINT');
    const [code] = await closed;
    expect(code).not.toBe(0);
    await expect(fetch(address)).rejects.toThrow();
    expect(await readdir(directory)).toEqual([]);
  });

  test('fails with the reason when a model cannot be reached', async () => {
    const { demo } = await startDemo({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    const [said, [code]] = await Promise.all([text(demo.stderr as NodeJS.ReadableStream), once(demo, 'close')]);
    expect(said).toContain('Connection error');
    expect(code).toBe(1);
  });
});
