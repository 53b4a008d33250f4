// @module-tag openssl
/** The version, homepage and icon of a source, whose author may mean ill. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import type { LookupFunction } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificates } from '../../../../test/support/certificates';
import { makeFolder } from '../../../../test/support/folder';
import { listening } from '../../../../test/support/listening';
import { PNG } from '../../../../test/support/vectors';
import { fetchIcon } from '../../../import/fetch-icon';
import { publicFetch } from '../../../import/openapi/public-fetch';
import { documentProfile, serverProfile } from '../../../import/source-profile';

const ICON = `data:image/png;base64,${PNG}`;

describe('documentProfile', () => {
  test('has the version, the documentation and the logo of a document', () => {
    const info = { version: ' 1.4.0 ', contact: { url: 'https://example.com/team' }, 'x-logo': { url: 'https://example.com/logo.png' } };
    const homepage = { url: 'https://docs.example.com/' };
    const icons = ['https://example.com/logo.png'];
    expect(documentProfile({ info, externalDocs: homepage })).toEqual({ version: '1.4.0', homepage: homepage.url, icons });
    expect(documentProfile({ info })).toEqual({ version: '1.4.0', homepage: 'https://example.com/team', icons });
    // An unquoted version in YAML.
    expect(documentProfile({ info: { version: 2.1 } })).toEqual({ version: '2.1', icons: [] });
  });

  test.each<[string, object]>([
    ['nothing', {}],
    ['other types', { info: { version: {}, contact: [], 'x-logo': 'logo.png' }, externalDocs: 'https://example.com' }],
    ['no info', { info: null, externalDocs: null }],
    ['a homepage that is a script', { externalDocs: { url: 'javascript:alert(1)' } }],
    ['a homepage with a password', { externalDocs: { url: 'https://me:secret@example.com/' } }],
    ['a version of 65 characters', { info: { version: '1'.repeat(65) } }],
    ['an icon that is an SVG', { info: { 'x-logo': { url: 'data:image/svg+xml;base64,PHN2Zz4=' } } }],
    ['an icon that is a script', { info: { 'x-logo': { url: `data:image/png;base64,${btoa('<svg onload="alert(1)"></svg>')}` } } }],
    ['an icon without TLS', { info: { 'x-logo': { url: 'http://example.com/logo.png' } } }],
    ['an icon of this machine', { info: { 'x-logo': { url: 'https://localhost/logo.png' } } }],
    ['an icon of the metadata service', { info: { 'x-logo': { url: 'https://169.254.169.254/logo.png' } } }],
    ['an icon of a private network', { info: { 'x-logo': { url: 'https://[fd00::1]/logo.png' } } }],
    ['an icon at a file', { info: { 'x-logo': { url: 'file:///etc/passwd' } } }],
  ])('leaves out %s', (_what, document) => {
    expect(documentProfile({ ...document })).toEqual({ icons: [] });
  });
});

test('serverProfile has what an MCP server says of itself, data URLs first and no SVG', () => {
  const icons = [
    { src: 'https://example.com/a.svg' },
    { src: 'https://example.com/a', mimeType: 'image/svg+xml' },
    { src: 'https://example.com/b.png' },
    { src: ICON, sizes: ['48x48'] },
    'https://example.com/c.png',
    { src: 'https://example.com/d.png' },
    { src: 'https://example.com/e.png' },
  ];
  expect(serverProfile({ name: 'shop', version: '2.0.0\u202E', websiteUrl: 'https://example.com/', icons })).toEqual({
    version: '2.0.0',
    homepage: 'https://example.com/',
    icons: [ICON, 'https://example.com/b.png', 'https://example.com/d.png'],
  });
  expect(serverProfile({ version: 3, websiteUrl: 'ftp://example.com', icons: 'none' })).toEqual({ version: '3', icons: [] });
});

describe('fetchIcon', () => {
  /** An https server, and the number of its requests. */
  async function pictures(answer: (response: ServerResponse) => void) {
    const { path, remove } = makeFolder();
    onTestFinished(remove);
    const { server: files, caFile } = makeCertificates(path);
    const asked: (string | undefined)[] = [];
    const server = createServer({ cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) }, ({ url }, response) => {
      asked.push(url);
      answer(response);
    });
    const { port } = new URL(await listening(server));
    const lookup: LookupFunction = (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const agent = new Agent({ ca: readFileSync(caFile), lookup });
    onTestFinished(() => agent.destroy());
    const icon = () => fetchIcon(`https://localhost:${port}/icon`, (url, init) => publicFetch(url, init, agent));
    return { icon, asked };
  }

  test('names a picture by its bytes, whatever the server says', async () => {
    const { icon, asked } = await pictures((response) =>
      response.setHeader('content-type', 'image/svg+xml').end(Buffer.from(PNG, 'base64')),
    );
    expect(await icon()).toBe(ICON);
    expect(asked).toEqual(['/icon']);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['an SVG that is named a PNG', (response) => response.setHeader('content-type', 'image/png').end('<svg onload="alert(1)"></svg>')],
    ['nothing', (response) => response.end()],
    ['a page', (response) => response.writeHead(404).end(Buffer.from(PNG, 'base64'))],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['a closed socket', (response) => response.destroy()],
    [
      'bytes without end',
      (response) => {
        const more = () => response.write(Buffer.alloc(16_384, PNG, 'base64'), (error) => !error && more());
        more();
      },
    ],
  ])('takes no icon from an answer that is %s, and asks nothing else', async (_what, answer) => {
    const { icon, asked } = await pictures(answer);
    expect(await icon()).toBeUndefined();
    expect(asked).toEqual(['/icon']);
  });

  test('opens no socket to a name that resolves to this machine', async () => {
    let connections = 0;
    const server = createServer().on('connection', (socket) => {
      connections++;
      socket.destroy();
    });
    const { port } = new URL(await listening(server));
    expect(await fetchIcon(`https://localhost:${port}/icon.png`)).toBeUndefined();
    expect(connections).toBe(0);
  });
});
