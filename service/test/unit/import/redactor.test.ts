/** Secrets of a source in every form in which an API or a server may return them. */
import { Buffer } from 'node:buffer';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Redactor } from '../../../import/redactor';
import { entryRedactor, sourceRedactor } from '../../../import/source-redactor';
import type { ToolkitEntry } from '../../../import/toolkits-file';

const SECRET = 'k3y/ä"+ of=Zoë?~';

function named(value: string): Redactor {
  return new Redactor([{ value, shown: `\${KEY}`, isCredential: true }]);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['plain', SECRET],
  ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in JSON of ASCII', 'k3y/\\u00e4\\"+ of=Zo\\u00eb?~'],
  ['in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
  ['in a URL', encodeURIComponent(SECRET)],
  ['in a URL with lower-case digits', encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase())],
  ['in a form', new URLSearchParams({ '': SECRET }).toString().slice(1)],
  ['in base64', base64(SECRET)],
  ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
])('%s', (_form, said) => {
  const redactor = named(SECRET);
  expect(redactor.text(`before ${said} after`)).toMatch(/^before \$\{KEY\}=* after$/);
  expect(redactor.details({ list: [`x${said}x`] }).list[0]).toContain(`x\${KEY}`);
  expect(redactor.result(said)).not.toContain(said);
});

test.each(['', 'a', 'ab', 'abc', 'user:', 'user@host:'])('in the base64 of a longer text that begins with %j', (before) => {
  const redactor = named('ghp_0123456789abcdef');
  const said = redactor.text(base64(`${before}ghp_0123456789abcdef and more`));
  expect(said).toContain(`\${KEY}`);
  expect(Buffer.from(said.split(`\${KEY}`)[1] ?? '', 'base64').length).toBeLessThan(12);
});

test('a text that was cut within a secret', () => {
  expect(named('ghp_0123456789abcdef').text('The token ghp_01234567')).toBe(`The token \${KEY}`);
  expect(named('ghp_0123456789abcdef').text('The token ghp_')).toBe('The token ghp_');
});

test('each line of a key with several', () => {
  const redactor = sourceRedactor({ mcp: { command: 'x' } }, { PEM_KEY: '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nabc=\n' });
  expect(redactor.text('read MIIEvQIBADANBgkqhkiG')).toBe(`read \${PEM_KEY}`);
});

test('a value without a secret stays the same object, and one with it is a copy', () => {
  const redactor = named('ghp_0123456789abcdef');
  const clean = { list: ['a long text without any secret', 1, null], nested: { flag: true } };
  expect(redactor.result(clean)).toBe(clean);
  const echo = { ghp_0123456789abcdef: { token: 'ghp_0123456789abcdef' } };
  expect(redactor.result(echo)).toEqual(JSON.parse(`{"\${KEY}":{"token":"\${KEY}"}}`));
  expect(Object.keys(echo)).toEqual(['ghp_0123456789abcdef']);
});

describe('the settings of a source', () => {
  test.each<[string, Parameters<typeof sourceRedactor>[0], string]>([
    ['a header', { mcp: { url: 'https://x.example', headers: { Authorization: 'Bearer tok-123456' } } }, 'tok-123456'],
    ['a header of its own name', { mcp: { url: 'https://x.example', headers: { 'X-Api-Key': 'tok-123456' } } }, 'tok-123456'],
    [
      'the password of a Basic header',
      { mcp: { url: 'https://x.example', headers: { Authorization: `Basic ${base64('me:tok-123456')}` } } },
      'tok-123456',
    ],
    ['a variable', { mcp: { command: 'x', env: { API_TOKEN: 'tok-123456' } } }, 'tok-123456'],
    ['an argument', { mcp: { command: 'x', args: ['--api-key', 'tok-123456'] } }, 'tok-123456'],
    ['a password in a URL', { mcp: { command: 'x', args: ['postgres://me:tok-123456@db/shop'] } }, 'tok-123456'],
    ['the query of an address', { mcp: { url: 'https://x.example?api_key=tok-123456' } }, 'tok-123456'],
    ['bearer', { openapi: { auth: { bearer: 'tok-123456' } } }, 'tok-123456'],
    ['the password of basic', { openapi: { auth: { basic: 'me:tok-123456' } } }, 'tok-123456'],
    ['both halves of basic, as it is sent', { openapi: { auth: { basic: 'me:tok-123456' } } }, base64('me:tok-123456')],
    ['basic without a password', { openapi: { auth: { basic: 'tok-123456:' } } }, 'tok-123456'],
    ['a scheme', { openapi: { auth: { schemes: { main: 'tok-123456' } } } }, 'tok-123456'],
    ['a header of requests', { openapi: { headers: { 'X-Api-Key': 'tok-123456' } } }, 'tok-123456'],
  ])('%s is a credential', (_place, settings, secret) => {
    const redactor = sourceRedactor(settings);
    expect(redactor.text(`It was ${secret}.`)).toMatch(/^It was \[redacted\]\.$/);
    expect(redactor.result({ text: secret })).toEqual({ text: '[redacted]' });
  });

  test('the user of basic is removed from errors, and stays in results, where it may be an address', () => {
    const redactor = sourceRedactor({ openapi: { auth: { basic: 'me@example.com:tok-123456' } } });
    expect(redactor.text('No user me@example.com')).toBe('No user [redacted]');
    expect(redactor.result('me@example.com')).toBe('me@example.com');
  });

  test('a proxy that the server inherits has a password', () => {
    vi.stubEnv('HTTPS_PROXY', 'http://me:p%2Fss-word@proxy.example:3128');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(sourceRedactor({ mcp: { command: 'x' } }).text('407 for p%2Fss-word and p/ss-word')).toBe('407 for [redacted] and [redacted]');
  });
});

describe('the variables of an entry', () => {
  const entry: ToolkitEntry = {
    mcp: { command: 'x', env: { CITY: `\${CITY}`, LINEAR: `\${LINEAR}`, AUTH_MODE: `\${AUTH_MODE}`, DATABASE: `\${DATABASE}` } },
    describe: { a: `\${UNSET}` },
  };
  const redactor = entryRedactor(entry, {
    CITY: 'Göteborg',
    LINEAR: 'lin-123456',
    AUTH_MODE: 'disabled',
    DATABASE: 'postgres://me:pass-9876@db/shop',
    OTHER: 'not-of-this-entry',
  });

  test('are named in errors, for any value', () => {
    expect(redactor.text('lin-123456 in Göteborg (G%C3%B6teborg) is disabled, not-of-this-entry')).toBe(
      `\${LINEAR} in \${CITY} (\${CITY}) is \${AUTH_MODE}, not-of-this-entry`,
    );
    expect(redactor.text('password "pass-9876" of postgres://me:pass-9876@db/shop')).toBe(`password "[redacted]" of \${DATABASE}`);
  });

  test('stay in results if they are not credentials: a city, a word', () => {
    expect(redactor.result(['Göteborg', 'disabled', 'pass-9876'])).toEqual(['Göteborg', 'disabled', '[redacted]']);
  });

  test('are credentials by their place, for any name', () => {
    const byPlace = entryRedactor(
      { mcp: { url: 'https://x.example', headers: { Authorization: `Bearer \${LINEAR}` } } },
      { LINEAR: 'lin-123456' },
    );
    expect(byPlace.result('lin-123456')).toBe(`\${LINEAR}`);
    const byName = entryRedactor({ mcp: { command: 'x', args: [`\${LINEAR_KEY}`] } }, { LINEAR_KEY: 'lin-123456' });
    expect(byName.result('lin-123456')).toBe(`\${LINEAR_KEY}`);
  });
});
