/**
 * The script that runs before a program: it defines `tools`, `emit` and `console`, and takes out what programs must not have.
 *
 * It keeps its own references to the built-ins, because a program may replace them, and hands only numbers and strings to the host: an array
 * or an object would go through `toJSON`, which a program can define.
 */
export const PRELUDE = `(() => {
  'use strict';
  const host = globalThis.__host;
  const { parse, stringify } = JSON;
  const { apply, setPrototypeOf, preventExtensions } = Reflect;
  const { freeze, defineProperty } = Object;
  const P = Promise, E = Error, T = TypeError, R = RangeError, text = String, M = Map;
  const uncurried = (method) => (self, ...values) => apply(method, self, values);
  const slice = uncurried(String.prototype.slice), has = uncurried(String.prototype.includes);
  const get = uncurried(M.prototype.get), set = uncurried(M.prototype.set), remove = uncurried(M.prototype.delete);

  // A private member cannot be forged.
  class TooManyCalls extends R {
    #brand;
    static is(error) { return typeof error === 'object' && error !== null && #brand in error; }
  }
  const refused = (code) => {
    if (code === 'calls') return new TooManyCalls('A program makes at most ' + host('limit', 'calls') + ' calls. Ask for less, or go on in a second program.');
    if (code === 'callChars') return new R('A call has at most ' + host('limit', code) + ' characters, its payload as JSON: send less, or split it over several calls.');
    if (code === 'contentChars') return new R('A program emits at most 32 blocks with ' + host('limit', code) + ' characters in all: emit less.');
    return new T("emit takes a text, or { type: 'image', data, mimeType } with data in base64 and a mimeType such as image/png.");
  };

  // Id of a call -> what resolves its promise.
  const open = new M();
  let exhausted;
  const call = (kind, action, payload) => new P((resolve) => {
    if (exhausted) throw exhausted;
    const json = stringify(payload);
    if (typeof json !== 'string') throw new T('A payload must be JSON: ' + typeof payload + ' is not.');
    const id = host(kind, action, json);
    if (id === 'calls') throw exhausted = refused(id);
    if (typeof id === 'string') throw refused(id);
    set(open, id, resolve);
  });
  const settle = (id, ok, json) => {
    const resolve = get(open, id);
    remove(open, id);
    if (resolve) resolve(ok ? { ok, data: parse(json) } : { ok, error: parse(json) });
  };

  // A function without own members, so that an action may be called "name" or "length".
  const bare = (call) => {
    delete call.name; delete call.length;
    setPrototypeOf(call, null); preventExtensions(call);
    return call;
  };
  // The language itself asks for the others: await, JSON.stringify, a conversion to text.
  const isName = (key) => typeof key === 'string' && key !== 'then' && key !== 'toJSON' && key !== 'toString' && key !== 'valueOf';
  const action = (id) => (payload = {}) => call('invoke', id, payload);
  const toolkit = (name) => new Proxy(bare(() => { throw new T('tools.' + name + ' is a toolkit. Call tools.<toolkit>.<action>(payload), and find actions with tools.search(query).') }), {
    get: (_, key) => isName(key) ? action(name + '__' + key) : undefined,
  });
  const question = (query) => {
    if (typeof query !== 'object' || query === null) return { __proto__: null, query: text(query) };
    return { __proto__: null, query: text(query.query), limit: query.limit };
  };
  const own = freeze({
    __proto__: null,
    search: (query) => call('search', '', question(query)),
    describe: (id) => call('describe', text(id), text(id)),
  });
  const tools = new Proxy(own, {
    get: (_, key) => !isName(key) ? undefined : own[key] ?? (has(key, '__') && key !== '__proto__' ? action(key) : toolkit(key)),
  });

  const show = (value) => {
    if (typeof value === 'string') return value;
    try { if (value instanceof E) return text(value); return stringify(value) ?? text(value); } catch { return typeof value; }
  };
  const print = (...values) => {
    let line = '';
    for (let at = 0; at < values.length; at++) line += (at > 0 ? ' ' : '') + slice(show(values[at]), 0, host('limit', 'logChars') + 1);
    host('log', slice(line, 0, host('limit', 'logChars') + 1));
  };
  const emit = (block) => {
    const isText = typeof block === 'string';
    const type = isText ? 'text' : block?.type, data = isText ? block : type === 'text' ? block.text : block?.data;
    const code = host('emit', type, data, isText || type === 'text' ? 'text/plain' : block?.mimeType);
    if (typeof code === 'string') throw refused(code);
  };

  const describe = (error) => {
    if (typeof error !== 'object' || error === null || !(error instanceof E)) return host('failed', '', slice('The program threw ' + show(error), 0, 2000), '');
    const message = slice(text(error.name) + ': ' + text(error.message), 0, 2000);
    host('failed', TooManyCalls.is(error) ? 'TOO_MANY_CALLS' : '', message, slice(text(error.stack), 0, 4000));
  };
  const fail = (error) => {
    try { describe(error); } catch { host('failed', '', 'The program threw an error that cannot be read.', ''); }
  };
  const run = async (main) => {
    try {
      const json = stringify(await main()) ?? 'null';
      const max = host('limit', 'resultChars');
      if (json.length > max) host('long', json.length, slice(json, 0, 300));
      else host('done', json);
    } catch (error) {
      fail(error);
    }
  };

  // Frames of a stack would hand out the functions of this script.
  delete E.prepareStackTrace;
  for (const name of ['__host', 'performance', 'SharedArrayBuffer', 'Atomics']) delete globalThis[name];
  const log = freeze({ log: print, info: print, warn: print, error: print, debug: print });
  for (const [name, value] of [['tools', tools], ['console', log], ['emit', emit]]) defineProperty(globalThis, name, { value });
  return { settle, run };
})()`;
