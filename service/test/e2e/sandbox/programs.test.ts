import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { DEFAULT_PROGRAM_LIMITS, type ProgramCall } from '../../../src/sandbox/sandbox';
import { echo, resultOf, STARTED_AT, testSandbox } from '../../support/programs';

test('a program calls actions and returns a value', async () => {
  const { run } = testSandbox();
  const end = await run(`
    console.log('begins', { n: 1 });
    const { ok, data } = await tools.shop.get_order({ id: 7 });
    return { ok, data };`);
  expect(end).toEqual({
    status: 'done',
    resultJson: '{"ok":true,"data":{"kind":"invoke","action":"shop__get_order","payload":{"id":7}}}',
    log: 'begins {"n":1}',
    content: [],
    calls: 1,
  });
});

test('search, describe and invoke reach the host with their arguments and numbers', async () => {
  const { run } = testSandbox();
  const calls: ProgramCall[] = [];
  const call = async (asked: ProgramCall) => {
    calls.push(asked);
    return echo(asked);
  };
  await run(
    `await tools.search('refunds');
     await tools.search({ query: 'refunds', limit: 3 });
     await tools.describe('shop__refund');
     await tools.shop.refund({ b: 1, a: 2 });
     await tools.shop__refund({ a: 2, b: 1 });
     await tools['my-shop'].list();`,
    { call },
  );
  expect(calls.map(({ digest: _, ...asked }) => asked)).toEqual([
    { kind: 'search', action: '', payloadJson: '{"query":"refunds"}', nth: 1 },
    { kind: 'search', action: '', payloadJson: '{"query":"refunds","limit":3}', nth: 1 },
    { kind: 'describe', action: 'shop__refund', payloadJson: '"shop__refund"', nth: 1 },
    { kind: 'invoke', action: 'shop__refund', payloadJson: '{"b":1,"a":2}', nth: 1 },
    { kind: 'invoke', action: 'shop__refund', payloadJson: '{"a":2,"b":1}', nth: 2 },
    { kind: 'invoke', action: 'my-shop__list', payloadJson: '{}', nth: 1 },
  ]);
  const digestOf = (...content: unknown[]) => createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  expect(calls.map(({ digest }) => digest)).toEqual([
    digestOf('search', '', { query: 'refunds' }),
    digestOf('search', '', { limit: 3, query: 'refunds' }),
    digestOf('describe', 'shop__refund', 'shop__refund'),
    digestOf('invoke', 'shop__refund', { a: 2, b: 1 }),
    digestOf('invoke', 'shop__refund', { a: 2, b: 1 }),
    digestOf('invoke', 'my-shop__list', {}),
  ]);
});

test('a call that fails is a value, and names of the language are not actions', async () => {
  const { run } = testSandbox();
  const call = async () => ({ ok: false, errorJson: '{"code":"ACTION_NOT_FOUND","message":"No"}' }) as const;
  const code = `
    const names = [(await tools) === tools, tools.then, tools.shop.then, JSON.stringify(tools), Object.keys(tools)].map(String);
    try { tools.shop({}) } catch (error) { names.push(error.message) }
    return [await tools.shop.x(), names]`;
  expect(resultOf(await run(code, { call }))).toMatchObject([
    { ok: false, error: { code: 'ACTION_NOT_FOUND', message: 'No' } },
    ['true', 'undefined', 'undefined', '{}', 'search,describe', expect.stringContaining('tools.shop is a toolkit')],
  ]);
});

test('emit gives texts and images; anything else is explained', async () => {
  const { run } = testSandbox();
  const end = await run(`
    emit('a text'); emit({ type: 'image', data: 'aGk=', mimeType: 'image/png' });
    const refused = [];
    for (const bad of [7, { type: 'image', data: '***', mimeType: 'image/png' }, { type: 'image', data: 'aGk=', mimeType: 'text/html' }])
      try { emit(bad) } catch (error) { refused.push(error.message.slice(0, 11)) }
    for (let n = 0; n < 40; n++) try { emit('x') } catch (error) { return [...refused, n] }`);
  expect(resultOf(end)).toEqual(['emit takes ', 'emit takes ', 'emit takes ', 30]);
  expect(end).toMatchObject({
    content: [
      { type: 'text', text: 'a text' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      ...Array.from({ length: 30 }, () => ({ type: 'text', text: 'x' })),
    ],
  });
});

test('the log has all kinds of values, without control sequences, and is cut at its limit', async () => {
  const { run } = testSandbox();
  const end = await run(
    "console.info('\\u001b[31mred', 1, null, undefined, [1], new Error('no')); console.warn('x'.repeat(50)); console.error('lost')",
    { limits: { logChars: 60 } },
  );
  expect(end).toMatchObject({
    status: 'done',
    resultJson: 'null',
    log: `red 1 null undefined [1] Error: no\n${'x'.repeat(20)}\n[The log is cut here: it has at most 60 characters]`,
  });
});

test('an error names the line of the program', async () => {
  const { run } = testSandbox();
  expect(resultOf(await run('const a = 1;\n\n  a.b.c();'))).toEqual({
    code: 'PROGRAM_ERROR',
    message: "TypeError: cannot read property 'c' of undefined",
    at: { line: 3, source: 'a.b.c();' },
  });
  expect(resultOf(await run('const a = 1;\nconst b = ;'))).toMatchObject({
    code: 'SYNTAX_ERROR',
    at: { line: 2, source: 'const b = ;' },
  });
  expect(resultOf(await run("throw { code: 'MINE' }"))).toEqual({ code: 'PROGRAM_ERROR', message: 'The program threw {"code":"MINE"}' });
  expect(resultOf(await run('await tools.a.b();\nawait tools.a.b({ n: 1n });'))).toMatchObject({ code: 'PROGRAM_ERROR', at: { line: 2 } });
});

test('the same run has the same time and random numbers, another run others', async () => {
  const { run } = testSandbox();
  const code = 'return [Date.now(), new Date().toISOString(), new Date().getTimezoneOffset(), Math.random(), Math.random()]';
  const [first, again, other] = await Promise.all(['run_a', 'run_a', 'run_b'].map((id) => run(code, { id }).then(resultOf)));
  expect(first).toEqual([STARTED_AT, new Date(STARTED_AT).toISOString(), 0, expect.any(Number), expect.any(Number)]);
  expect(again).toEqual(first);
  expect((other as number[])[3]).not.toBe((first as number[])[3]);
});

test('ten calls are under way at once, and the others wait', async () => {
  const { run } = testSandbox();
  let underWay = 0;
  let most = 0;
  const ten = Promise.withResolvers<void>();
  const call = async (asked: ProgramCall) => {
    most = Math.max(most, ++underWay);
    if (underWay === 10) ten.resolve();
    await ten.promise;
    await new Promise(setImmediate);
    underWay--;
    return echo(asked);
  };
  const end = await run('return (await Promise.all(Array.from({ length: 60 }, (_, i) => tools.a.b({ i })))).length', { call });
  expect([resultOf(end), most]).toEqual([60, 10]);
});

test('a hundred calls are made, and the next one says how to go on', async () => {
  const { run } = testSandbox();
  const call = vi.fn(echo);
  const code = 'for (let i = 0; i < 100; i++) await tools.a.b({ i }); try { await tools.a.b() } catch (error) { return error.message }';
  expect(resultOf(await run(code, { call }))).toMatch('A program makes at most 100 calls.');
  expect(call).toHaveBeenCalledTimes(100);
  expect(resultOf(await run('for (let i = 0; ; i++)\n await tools.a.b({ i })'))).toMatchObject({ code: 'TOO_MANY_CALLS', at: { line: 2 } });
});

test('time in calls is not computing time', async () => {
  const { run } = testSandbox();
  const call = async (asked: ProgramCall) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return echo(asked);
  };
  const end = await run('for (let i = 0; i < 5; i++) await tools.a.b({ i }); return 1', { call, limits: { cpuMs: 300 } });
  expect(resultOf(end)).toBe(1);
});

test('a program beyond its time ends, and its calls with it', async () => {
  const { run } = testSandbox();
  // The start of the process does not count here.
  await run('return 1');
  const seen: AbortSignal[] = [];
  const call = (_: ProgramCall, signal: AbortSignal) => {
    seen.push(signal);
    return new Promise<never>(() => undefined);
  };
  const end = await run("console.log('asks'); await tools.a.b()", { call, limits: { timeoutMs: 3_000 } });
  expect(end).toMatchObject({ status: 'failed', error: { code: 'TIMEOUT' }, log: 'asks', calls: 1 });
  expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
});

test('the signal of the caller ends the program', async () => {
  const { run } = testSandbox();
  const cancel = new AbortController();
  const call = () => {
    cancel.abort();
    return new Promise<never>(() => undefined);
  };
  expect(resultOf(await run('await tools.a.b()', { call, signal: cancel.signal }))).toMatchObject({ code: 'CANCELLED' });
  expect(resultOf(await run('return 1', { signal: cancel.signal }))).toMatchObject({ code: 'CANCELLED' });
});

test('a program of which only waiting calls are left is suspended', async () => {
  const { run } = testSandbox();
  const call = async (asked: ProgramCall) => (asked.action === 'shop__refund' ? 'waits' : echo(asked));
  const waiting =
    "console.log('asks'); const refunds = Array.from({ length: 12 }, (_, i) => tools.shop.refund({ i })); await tools.shop.get();";
  expect(await run(`${waiting} await Promise.all(refunds)`, { call })).toEqual({ status: 'suspended', log: 'asks', calls: 13 });
  expect(await run(`${waiting} return 'not needed'`, { call })).toMatchObject({ status: 'done', resultJson: '"not needed"' });
});

test('texts beyond their limits say what to do', async () => {
  const { run } = testSandbox();
  const long = await run("return 'x'.repeat(30_000)");
  expect(resultOf(long)).toMatchObject({
    code: 'RESULT_TOO_LONG',
    message: expect.stringMatching(/^The result has 30002 .* filter, .* It begins: "xxx/),
  });
  expect(resultOf(await run('1;'.repeat(50_001)))).toMatchObject({ code: 'CODE_TOO_LONG' });
  const call = async ({ payloadJson }: ProgramCall) =>
    ({ ok: true, dataJson: JSON.stringify('x'.repeat(JSON.parse(payloadJson).n)) }) as const;
  const code =
    'const sizes = []; for (const n of [90, 99, 20, 90]) sizes.push((await tools.a.b({ n })).error?.message.slice(0, 40) ?? n); return sizes';
  expect(resultOf(await run(code, { call, limits: { answerChars: 100, answersChars: 250 } }))).toEqual([
    90,
    'The result has 101 characters as JSON; a',
    20,
    'The results of this run have more than 2',
  ]);
});

test('the defaults are those of docs/limits.md', () => {
  expect(DEFAULT_PROGRAM_LIMITS).toMatchObject({ codeChars: 100_000, calls: 100, callsAtOnce: 10, cpuMs: 2_000, resultChars: 20_000 });
});
