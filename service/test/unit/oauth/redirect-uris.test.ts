/** The addresses that may get a code: 60 spellings. */
import { describe, expect, test } from 'vitest';
import { isSameRedirect, recipientOf, requireRedirectUri, withoutPort } from '../../../src/oauth/redirect-uris';

describe('a client may register', () => {
  test.for([
    ['https://claude.ai/api/mcp/auth_callback', 'claude.ai'],
    ['https://chatgpt.com/connector_platform_oauth_redirect', 'chatgpt.com'],
    ['https://tools.example.com:8443/cb?app=1', 'tools.example.com:8443'],
    ['https://vscode.dev/redirect', 'vscode.dev'],
    ['http://localhost/callback', 'localhost'],
    ['http://localhost:33418', 'localhost'],
    ['http://127.0.0.1:33418/', 'localhost'],
    ['http://[::1]:5000/cb', 'localhost'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
    ['com.example.app:/oauth', 'com.example.app:'],
  ] as const)('%s', ([uri, place]) => {
    expect(() => requireRedirectUri(uri)).not.toThrow();
    expect(recipientOf(uri)).toBe(place);
  });
});

describe('a client may not register', () => {
  test.for([
    '',
    ' ',
    '/callback',
    '//evil.example/cb',
    'callback',
    'https://',
    'http://evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost.evil.example/cb',
    'http://localhost@evil.example/cb',
    'http://evil.example@localhost/cb',
    'https://user:pw@good.example/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://0x7f000001/cb',
    'http://0.0.0.0/cb',
    'http://127.0.0.2/cb',
    'http://LOCALHOST/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'HTTPS://good.example/cb',
    'https://GOOD.example/cb',
    'https://good.example:443/cb',
    'https://good.example/a/../cb',
    'https://good.example/./cb',
    'https://good.example\\@evil.example/cb',
    'https:/good.example/cb',
    'https:good.example/cb',
    'https://good.example/cb#fragment',
    'https://good.example/cb#',
    'https://good.example/c b',
    'https://good.example/cb\n',
    '\thttps://good.example/cb',
    'https://goo\u0000d.example/cb',
    'https://gооd.example/cb',
    'https://good.example/<script>',
    'https://good.example/"cb',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'blob:https://good.example/x',
    'filesystem:https://good.example/x',
    'view-source:https://good.example/',
    'about:blank',
    'ftp://good.example/cb',
    'ws://localhost/cb',
    'intent://scan/#Intent;scheme=zxing;end',
    'ms-msdt:/id',
    'mailto:a@good.example',
  ])('%j', (uri) => expect(() => requireRedirectUri(uri)).toThrow(expect.objectContaining({ code: 'invalid_redirect_uri' })));
});

describe('a request may use', () => {
  test.for([
    ['https://claude.ai/cb', 'https://claude.ai/cb', true],
    ['https://claude.ai/cb', 'https://claude.ai/cb/', false],
    ['https://claude.ai/cb', 'https://claude.ai/cb?x=1', false],
    ['https://claude.ai/cb', 'https://claude.ai:8443/cb', false],
    ['https://claude.ai/cb', 'http://claude.ai/cb', false],
    ['https://claude.ai/cb', 'https://claude.ai.evil.example/cb', false],
    ['http://localhost/callback', 'http://localhost:53211/callback', true],
    ['http://localhost:1/callback', 'http://localhost:2/callback', true],
    ['http://[::1]:1/cb', 'http://[::1]:2/cb', true],
    ['http://localhost/callback', 'http://127.0.0.1:53211/callback', false],
    ['http://localhost/callback', 'http://localhost:53211/other', false],
    ['http://localhost/callback', 'http://localhost:53211/callback?x=1', false],
    ['http://localhost/callback', 'https://localhost:53211/callback', false],
    ['http://localhost/callback', 'http://localhost.evil.example:1/callback', false],
    ['http://127.0.0.1/cb', 'http://0x7f.1:80/cb', false],
    ['cursor://a/cb', 'cursor://b/cb', false],
  ] as const)('registered %s, asked %s: %s', ([registered, asked, same]) => expect(isSameRedirect(registered, asked)).toBe(same));
});

test('an app on this computer is the same app on another port', () => {
  expect(withoutPort('http://127.0.0.1:33418/cb')).toBe('http://127.0.0.1/cb');
  expect(withoutPort('http://localhost:33418')).toBe('http://localhost');
  expect(withoutPort('http://[::1]:5/cb')).toBe('http://[::1]/cb');
  expect(withoutPort('https://good.example:8443/cb')).toBe('https://good.example:8443/cb');
});
