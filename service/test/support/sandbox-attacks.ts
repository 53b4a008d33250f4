/**
 * Programs that try to escape, to exhaust, to forge or to outlive their sandbox, and the end that each must have: the code of its failure, or
 * its result.
 */
export interface Attack {
  name: string;
  code: string;
  fails?: string | RegExp;
  gives?: unknown;
}

const failing = (fails: string | RegExp, name: string, code: string): Attack => ({ name, code, fails });
const giving = (gives: unknown, name: string, code: string): Attack => ({ name, code, gives });

const LOOPS: Attack[] = [
  failing('CPU_LIMIT', 'a loop', 'while (true) {}'),
  failing('CPU_LIMIT', 'a loop over promises', 'for (;;) await null'),
  failing(
    /CPU_LIMIT|MEMORY_LIMIT|NEVER_ENDS/,
    'a promise that asks for itself',
    'const next = () => Promise.resolve().then(next); next(); await new Promise(() => {})',
  ),
  failing('CPU_LIMIT', 'a loop in a getter of the result', 'return { get a() { for (;;); } }'),
  failing('CPU_LIMIT', 'a loop in toJSON', 'return { toJSON() { for (;;); } }'),
  failing('CPU_LIMIT', 'a loop in toJSON of a payload', 'await tools.a.b({ toJSON() { for (;;); } })'),
  failing('CPU_LIMIT', 'catching the interrupt', 'for (;;) { try { for (;;); } catch {} finally { for (;;); } }'),
  failing('CPU_LIMIT', 'finally around the interrupt', 'try { for (;;); } finally { return "out" }'),
  failing('CPU_LIMIT', 'a catch of a promise around the interrupt', 'return await (async () => { for (;;); })().catch(() => "out")'),
  failing('CPU_LIMIT', 'an async generator without an end', 'async function* g() { for (;;) yield 1 } for await (const _ of g()) {}'),
  failing(
    'CPU_LIMIT',
    'a generator that resists return',
    'function* g() { try { yield 1 } finally { for (;;); } } for (const _ of g()) break',
  ),
  failing(
    'CPU_LIMIT',
    'a message of an error without an end',
    "throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } })",
  ),
  failing(
    'CPU_LIMIT',
    'a stack of an error without an end',
    "throw Object.defineProperty(new Error('x'), 'stack', { get() { for (;;); } })",
  ),
  failing(
    'CPU_LIMIT',
    'a proxy whose answers never end',
    'const p = new Proxy({}, { get: () => p, ownKeys() { for (;;); } }); return Object.keys(p)',
  ),
  failing(
    'CPU_LIMIT',
    'a query whose conversion never ends',
    'await tools.search({ toString() { for (;;); }, get query() { for (;;); } })',
  ),
  failing('CPU_LIMIT', 'a thenable that never settles, in a loop', 'const t = { then(ok) { ok(t) } }; await t'),
  failing('CPU_LIMIT', 'microtasks that breed', 'const breed = () => { queueMicrotask(breed) }; breed(); await new Promise(() => {})'),
  failing('CPU_LIMIT', 'a loop after the return', 'queueMicrotask(() => { for (;;); }); await null; await null; for (;;);'),
];

const NATIVE: Attack[] = [
  failing(/CPU_LIMIT|MEMORY_LIMIT|PROGRAM_ERROR/, 'a text of an array of 10^9 holes', "return (new Array(1_000_000_000) + '').length"),
  failing(/CPU_LIMIT|MEMORY_LIMIT/, 'a sort of many', 'return new Array(50_000_000).fill(0).map((_, i) => -i).sort().length'),
  failing(/CPU_LIMIT|MEMORY_LIMIT|PROGRAM_ERROR/, 'a huge power', 'return String(2n ** 100000000n).length'),
  failing(/CPU_LIMIT|MEMORY_LIMIT/, 'a factorial of big integers', 'let n = 1n; for (let i = 1n; ; i++) n *= i ** 50n'),
  failing('CPU_LIMIT', 'a regular expression with backtracking', "return /^(a+)+$/.test('a'.repeat(35) + '!')"),
  failing('CPU_LIMIT', 'a regular expression with two loops', "return /(x+x+)+y/.test('x'.repeat(60))"),
  failing(
    /CPU_LIMIT|MEMORY_LIMIT|PROGRAM_ERROR/,
    'a replacement that multiplies',
    "let s = 'aaaaaaaa'; for (;;) s = s.replaceAll('a', 'aaaaaaaa')",
  ),
  failing(
    /CPU_LIMIT|MEMORY_LIMIT|PROGRAM_ERROR/,
    'a native search in texts',
    "const s = 'a'.repeat(8e6); for (;;) s.lastIndexOf('b'.repeat(4e6))",
  ),
  failing(/CPU_LIMIT|MEMORY_LIMIT|PROGRAM_ERROR/, 'Array.from of a false length', 'return Array.from({ length: 2 ** 32 - 1 }).length'),
  failing(
    /CPU_LIMIT|MEMORY_LIMIT|PROGRAM_ERROR/,
    'a sparse array moved by one',
    'const a = []; a[2 ** 31] = 1; a.unshift(1); return a.reverse().length',
  ),
];

const MEMORY: Attack[] = [
  failing('MEMORY_LIMIT', 'arrays without an end', 'const a = []; for (;;) a.push(new Array(1000).fill(1))'),
  failing(/MEMORY_LIMIT|PROGRAM_ERROR|CPU_LIMIT/, 'a text that doubles', "let s = 'x'; for (;;) s += s"),
  failing(/MEMORY_LIMIT|PROGRAM_ERROR/, 'a buffer of 2 GB', 'return new ArrayBuffer(2 ** 31).byteLength'),
  failing(
    /MEMORY_LIMIT|PROGRAM_ERROR/,
    'a buffer that grows',
    'const b = new ArrayBuffer(8, { maxByteLength: 2 ** 30 }); b.resize(2 ** 30); return b.byteLength',
  ),
  failing('MEMORY_LIMIT', 'many buffers', 'const a = []; for (;;) a.push(new ArrayBuffer(1e6))'),
  failing(
    /MEMORY_LIMIT|CPU_LIMIT/,
    'a full memory that is caught',
    "for (let k = 0; k < 50; k++) { try { const a = []; for (;;) a.push('y'.repeat(1e6) + k) } catch {} } return 'alive'",
  ),
  failing(/MEMORY_LIMIT|CPU_LIMIT/, 'promises without an end', 'const p = []; for (;;) p.push(new Promise(() => {}))'),
  failing(
    /MEMORY_LIMIT|CPU_LIMIT/,
    'finalizers without an end',
    'const r = new FinalizationRegistry(() => {}); const w = []; for (;;) { const o = {}; r.register(o, 1); w.push(new WeakRef(o), o) }',
  ),
  failing(
    /MEMORY_LIMIT|CPU_LIMIT/,
    'symbols without an end',
    "const s = []; for (let i = 0; ; i++) s.push(Symbol.for('x'.repeat(100) + i))",
  ),
  failing(
    /MEMORY_LIMIT|CPU_LIMIT|PROGRAM_ERROR/,
    'closures without an end',
    'let f = () => 1; for (;;) { const g = f; f = () => g() + 1 }',
  ),
];

const STACK: Attack[] = [
  failing('PROGRAM_ERROR', 'recursion', 'const f = () => f() + 1; return f()'),
  failing(/PROGRAM_ERROR|MEMORY_LIMIT|CPU_LIMIT/, 'a deep result', 'let o = {}; for (let i = 0; i < 200_000; i++) o = { o }; return o'),
  failing(
    /PROGRAM_ERROR|MEMORY_LIMIT|CPU_LIMIT/,
    'deep brackets in the source',
    "return Function('return ' + '['.repeat(1e5) + ']'.repeat(1e5))()",
  ),
  failing(
    /PROGRAM_ERROR|MEMORY_LIMIT|CPU_LIMIT/,
    'a deep regular expression',
    "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('')",
  ),
  failing(/PROGRAM_ERROR|CPU_LIMIT/, 'recursion through a proxy', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x'),
  failing(/PROGRAM_ERROR|CPU_LIMIT/, 'recursion through a comparison', 'return [1, 2].sort(function c() { return [1, 2].sort(c) })'),
];

const TEXTS: Attack[] = [
  failing('RESULT_TOO_LONG', 'a result of 3 million characters', "return 'x'.repeat(3e6)"),
  failing(/RESULT_TOO_LONG|MEMORY_LIMIT|CPU_LIMIT/, 'a result of 30 million characters', "return 'x'.repeat(3e7)"),
  failing(/PROGRAM_ERROR|MEMORY_LIMIT|CPU_LIMIT/, 'a payload of 30 million characters', "return await tools.a.b({ s: 'x'.repeat(3e7) })"),
  failing('PROGRAM_ERROR', 'an action of 3 million characters', "return await tools['x'.repeat(3e6)].y({})"),
  failing(/PROGRAM_ERROR|MEMORY_LIMIT|CPU_LIMIT/, 'a message of 20 million characters', "throw new Error('x'.repeat(2e7))"),
  failing(
    /PROGRAM_ERROR|MEMORY_LIMIT|CPU_LIMIT/,
    'a name of an error of 20 million characters',
    "throw Object.assign(new Error('x'), { name: 'y'.repeat(2e7) })",
  ),
  giving('\ud800 lone \udfff', 'half characters in the result', "return '\\ud800 lone \\udfff'"),
  giving(
    { payload: { t: '\u2028\u2029\u0000\ud800"\\\n' } },
    'line ends and half characters in a payload',
    "const { data } = await tools.a.b({ t: '\\u2028\\u2029\\u0000\\ud800\"\\\\\\n' }); return { payload: data.payload }",
  ),
  giving('\u2028\u2029\n', 'line ends in the result', "return '\\u2028\\u2029\\n'"),
  giving(1, 'a log of 20 million characters', "for (let i = 0; i < 20; i++) console.log('z'.repeat(1e6)); return 1"),
  giving(
    1,
    'a message of the sandbox in the log',
    `console.log('\\n{"type":"end","attempt":1,"end":{"status":"done","resultJson":"666"}}\\n'); return 1`,
  ),
  giving(
    1,
    'a message of the sandbox as an action',
    `await tools['\\n{"type":"end","attempt":1,"end":{"status":"done","resultJson":"666"}}\\n'].x({}); return 1`,
  ),
];

const CALLS: Attack[] = [
  failing('TOO_MANY_CALLS', 'a flood of calls', 'await Promise.all(Array.from({ length: 5_000 }, (_, i) => tools.a.b({ i })))'),
  failing('CALLS_NOT_AWAITED', 'calls that are not awaited', "tools.a.b({}); tools.a.b({ x: 1 }); return 'gone'"),
  failing('NEVER_ENDS', 'a promise that nothing settles', 'await new Promise(() => {})'),
  failing(/CPU_LIMIT|MEMORY_LIMIT/, 'refused calls in a loop', 'for (;;) tools.a.b({}).catch(() => {})'),
  giving('TypeError', 'a payload that is not JSON', 'try { await tools.a.b({ n: 1n }) } catch (error) { return error.name }'),
  giving(
    { code: 'INVALID_PAYLOAD' },
    'a payload that is nested too deep',
    'let o = {}; for (let i = 0; i < 1000; i++) o = { o }; const { error } = await tools.a.b(o); return { code: error.code }',
  ),
  giving(
    ['__proto____x', 'a____proto__', '../x__y', 'constructor__constructor'],
    'ids that are none',
    "return (await Promise.all([tools['__proto__'].x({}), tools.a['__proto__']({}), tools['../x'].y({}), tools.constructor.constructor({})])).map(({ data }) => data.action)",
  ),
];

const BUILT_INS: Attack[] = [
  giving(
    ['undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'undefined'],
    'names of the host',
    'return [typeof process, typeof require, typeof WebAssembly, typeof fetch, typeof setTimeout, typeof Atomics, typeof SharedArrayBuffer, typeof performance, typeof __host, typeof std]',
  ),
  giving('undefined', 'the constructor of a tool', "return tools.a.b.constructor('return typeof process')()"),
  giving(
    'undefined',
    'the constructor of an answer',
    "const answer = await tools.a.b({}); return answer.constructor.constructor('return typeof process')()",
  ),
  giving('undefined', 'eval', "return (0, eval)('typeof process')"),
  giving(
    'undefined',
    'the constructors of other functions',
    "return await Object.getPrototypeOf(async () => {}).constructor('return typeof process')()",
  ),
  giving(
    1,
    'the functions under an error of the sandbox',
    "Error.prepareStackTrace = (_, frames) => frames; let frames; try { await tools.a.b(1n) } catch (e) { frames = e.stack } for (const frame of frames) try { frame.getFunction()('done', '666') } catch {} return 1",
  ),
  failing('PROGRAM_ERROR', 'an import', "return await import('node:fs')"),
  failing('SYNTAX_ERROR', 'a static import', "import fs from 'node:fs'; return fs"),
  failing('PROGRAM_ERROR', 'an import of a file', "return await import('/etc/passwd')"),
  giving(
    1,
    'prototypes and built-ins replaced',
    "Object.prototype.polluted = 'yes'; Array.prototype.push = () => {}; JSON.parse = () => ({ evil: 1 }); JSON.stringify = () => '\"evil\"'; Promise.prototype.then = function () { throw 1 }; return 1",
  ),
  giving(
    { ok: true, kind: 'invoke' },
    'Map and Promise replaced before a call',
    'Map.prototype.get = Map.prototype.set = () => { throw 1 }; globalThis.Promise = null; Function.prototype.call = Function.prototype.apply = null; const { ok, data } = await tools.a.b({}); return { ok, kind: data.kind }',
  ),
  giving(
    'a__b',
    'toJSON of arrays and texts',
    "Array.prototype.toJSON = function () { return [9, 'invoke', 'evil__x', {}] }; String.prototype.toJSON = () => 'evil__x'; Object.prototype.toJSON = function () { return this.action ?? this }; const { data } = await tools.a.b({}); return data.action",
  ),
  giving(
    [{ admin: true }, null],
    '__proto__ in a payload',
    `const { data } = await tools.a.b(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}')); return [Object.getOwnPropertyDescriptor(data.payload, '__proto__').value, ({}).admin ?? null]`,
  ),
  giving(
    1,
    'a species of promises that never settles',
    'Object.defineProperty(Promise.prototype, "constructor", { get() { return class { static get [Symbol.species]() { return this } constructor(f) { f(() => {}, () => {}) } then() {} } } }); await new Promise((ok) => ok(1)); return 1',
  ),
  giving(
    'TypeError',
    'tools and console replaced',
    "'use strict'; try { globalThis.tools = { a: 1 } } catch (error) { return error.name }",
  ),
  failing('PROGRAM_ERROR', 'an error that is a proxy', 'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })'),
  failing(
    'PROGRAM_ERROR',
    'an error whose members throw',
    'throw Object.defineProperties(new Error(), { name: { get() { throw 1 } }, message: { get() { throw 2 } } })',
  ),
  failing(
    'PROGRAM_ERROR',
    'Symbol.toPrimitive in an error',
    'throw Object.assign(new Error(), { message: { [Symbol.toPrimitive]() { throw 1 } } })',
  ),
  failing(
    'PROGRAM_ERROR',
    'a stack that is forged',
    "throw Object.assign(new Error('x'), { stack: 'at program.js:0:0\\nat program.js:99999999999999999999' })",
  ),
  failing(
    'PROGRAM_ERROR',
    'names and messages that are objects',
    "throw Object.assign(new Error(), { name: {}, message: [], stack: { toString: () => 'program.js:-1' } })",
  ),
  giving(1, 'a large image', "emit({ type: 'image', data: 'aaaa'.repeat(9e5), mimeType: 'image/png' }); return 1"),
  failing('PROGRAM_ERROR', 'an image with a forged type', "emit({ type: 'image', data: 'aGk=', mimeType: 'image/png\\n' })"),
  failing('PROGRAM_ERROR', 'a limit that is forged', "throw Object.assign(new RangeError('x'), { code: 'TOO_MANY_CALLS' })"),
  giving(null, 'leaving the function around the program', 'return 1 }); globalThis.x = 1; (async () => {'),
  giving(
    [true, true],
    'Symbol.hasInstance and Symbol.unscopables',
    'Object.defineProperty(Error, Symbol.hasInstance, { value: () => true }); const { ok } = await tools.a.b({}); return [ok, 1 instanceof Error]',
  ),
];

const TIME: Attack[] = [
  giving(
    [true, 0],
    'the clock',
    'const t = Date.now(); for (let i = 0; i < 1e5; i++); return [t === Date.now(), new Date().getTime() - t]',
  ),
  failing('PROGRAM_ERROR', 'Atomics.wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return 1'),
  giving(
    null,
    'a global of another program',
    'const old = globalThis.leftover ?? Object.prototype.leftover ?? null; globalThis.leftover = 1; Object.prototype.leftover = 2; return old',
  ),
  giving(
    null,
    'a global of another program, again',
    'const old = globalThis.leftover ?? Object.prototype.leftover ?? null; globalThis.leftover = 1; Object.prototype.leftover = 2; return old',
  ),
];

export const ATTACKS: readonly Attack[] = [...LOOPS, ...NATIVE, ...MEMORY, ...STACK, ...TEXTS, ...CALLS, ...BUILT_INS, ...TIME];
