import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../../test/support/folder';
import { natsOf } from '../../../cli/nats';
import { openNatsBus } from '../../../src/bus/nats-bus';
import { type NatsOptions, readNatsOptions } from '../../../src/bus/nats-options';

function newFile(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(path, 'file.pem');
  writeFileSync(file, 'text');
  return file;
}

describe('the options of an operator for NATS', () => {
  test.each([
    ['nats://localhost:4222', ['localhost:4222']],
    ['localhost', ['localhost:4222']],
    ['10.0.0.1:5000', ['10.0.0.1:5000']],
    ['nats://[::1]:5000', ['[::1]:5000']],
    [' nats://a , b:4223,', ['a:4222', 'b:4223']],
    ['nats://a:80/', ['a:80']],
  ])('%j is the address %j', (text, servers) => {
    expect(readNatsOptions(text)).toEqual({ servers, login: { kind: 'none' }, tls: undefined, prefix: 'svc' });
  });

  test('a login in the URL is removed from the address and may equal the login in the options', () => {
    const login = { kind: 'password', user: 'svc', password: 'p@ss' };
    expect(readNatsOptions('nats://svc:p%40ss@a,b')).toMatchObject({ servers: ['a:4222', 'b:4222'], login });
    expect(readNatsOptions('nats://svc:p%40ss@a,nats://svc:p%40ss@b')).toMatchObject({ login });
    expect(readNatsOptions({ servers: ['nats://svc:p%40ss@a'], user: 'svc', password: 'p@ss' })).toMatchObject({ login });
    expect(readNatsOptions('nats://s3cret@a')).toMatchObject({ login: { kind: 'token', token: 's3cret' } });
  });

  test('a tls:// address or TLS options turn on TLS', () => {
    const file = newFile();
    expect(readNatsOptions('tls://a').tls).toEqual({});
    expect(readNatsOptions({ servers: 'a', tls: { caFile: file } }).tls).toEqual({ caFile: file });
    expect(readNatsOptions({ servers: 'a', tls: { certFile: file, keyFile: file } }).tls).toEqual({ certFile: file, keyFile: file });
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', '', /nats.servers is empty/],
    ['no address', { servers: [] }, /nats.servers is empty/],
    ['no servers at all', {}, /nats.servers is empty/],
    ['another scheme', 'http://s3cret@a', /Address 1 of nats.servers begins with http:\/\//],
    ['a password that is not encoded', 'a,nats://svc:s3cret#%@a:4222', /Address 2 of nats.servers/],
    ['a password with a lone %', 'nats://svc:s3cret%@a:4222', /written as %25/],
    ['a path', 'nats://a/s3cret', /has a path, query or fragment after its port/],
    ['a port that is none', 'nats://a:s3cret', /is not a URL/],
    ['two logins', { servers: 'nats://svc:s3cret@a', token: 's3cret' }, /more than one login/],
    [
      'two kinds of login',
      { servers: 'a', token: 's3cret', nkeySeed: 's3cret' },
      /nats has token and nkeySeed: give user with password, or/,
    ],
    ['a user alone', { servers: 'a', user: 's3cret' }, /go together/],
    ['a password alone', { servers: 'a', password: 's3cret' }, /go together/],
    ['an empty token', { servers: 'a', token: '' }, /nats.token is empty/],
    ['an option that is none', { servers: 'a', pass: 's3cret' }, /There is no option nats.pass; there are servers, user/],
    ['a TLS option that is none', { servers: 'a', tls: { ca: 's3cret' } }, /There is no option nats.tls.ca/],
    ['TLS that is no object', { servers: 'a', tls: true }, /nats.tls must be an object/],
    ['a certificate without its key', { servers: 'a', tls: { certFile: '/nowhere' } }, /go together/],
    [
      'a file that is not there',
      { servers: 'a', tls: { caFile: '/nowhere/ca.pem' } },
      /nats.tls.caFile: cannot read \/nowhere\/ca.pem \(ENOENT\)/,
    ],
    ['credentials that are not there', { servers: 'a', credentials: '/nowhere/svc.creds' }, /nats.credentials: cannot read \/nowhere/],
    ['a prefix of two words', { servers: 'a', prefix: 'a.b' }, /nats.prefix must be one word/],
    ['a wildcard as prefix', { servers: 'a', prefix: '>' }, /nats.prefix must be one word/],
  ])('%s is refused without a secret', (_, options, message) => {
    const read = () => readNatsOptions(options as NatsOptions);
    expect(read).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringMatching(message) }));
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('s3cret') }));
  });

  test('a file that may not be read is refused', () => {
    const file = newFile();
    chmodSync(file, 0o000);
    // Root may read everything.
    if (process.getuid?.() === 0) expect(readNatsOptions({ servers: 'a', tls: { caFile: file } }).tls).toEqual({ caFile: file });
    else expect(() => readNatsOptions({ servers: 'a', tls: { caFile: file } })).toThrow(/EACCES/);
  });
});

test('an error names the missing package of the NATS client', async () => {
  vi.doMock('@nats-io/transport-node', () => {
    throw new Error('Cannot find package');
  });
  onTestFinished(() => void vi.doUnmock('@nats-io/transport-node'));
  await expect(openNatsBus({ settings: readNatsOptions('127.0.0.1:1') })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('NATS needs the package "@nats-io/transport-node", which '),
  });
});

describe('flags of serve', () => {
  test('become options', () => {
    expect(natsOf({})).toBeUndefined();
    expect(natsOf({ nats: '' })).toBeUndefined();
    expect(natsOf({ nats: 'nats://a' })).toEqual({ servers: 'nats://a' });
    expect(natsOf({ nats: 'a', natsCredentials: 'c', natsPrefix: 'p', natsTlsCa: 'ca', natsTlsCert: 'cert', natsTlsKey: 'key' })).toEqual({
      servers: 'a',
      credentials: 'c',
      prefix: 'p',
      tls: { caFile: 'ca', certFile: 'cert', keyFile: 'key' },
    });
  });

  test.each([{ natsPrefix: 'p' }, { natsCredentials: 'c' }, { natsTlsCa: 'ca' }, { nats: '', natsTlsKey: 'key' }])(
    '%j without an address is refused',
    (flags) => {
      expect(() => natsOf(flags)).toThrow(/needs its address too: give --nats or set SVC_NATS_URL/);
    },
  );
});
