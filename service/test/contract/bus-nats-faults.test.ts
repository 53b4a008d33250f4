// @module-tag nats
// @module-tag openssl
/** Faults of NATS: a lost connection, a refusal, a freeze, foreign messages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect, headers, nkeys } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificates } from '../../../test/support/certificates';
import { makeFolder } from '../../../test/support/folder';
import { type NatsServer, startNats } from '../../../test/support/nats';
import { startProcess } from '../../../test/support/processes';
import type { Bus } from '../../src/bus/bus';
import { openNatsBus } from '../../src/bus/nats-bus';
import { type NatsOptions, readNatsOptions } from '../../src/bus/nats-options';
import type { Logger } from '../../src/lib/logger';
import { failOnError, settle, unexpected } from './bus';

const SECRET = 'p@ss:wörd,/?#%';

async function open(options: string | NatsOptions, logger: Logger = failOnError()): Promise<Bus> {
  const bus = await openNatsBus({ settings: readNatsOptions(options), logger, connectMs: 100 });
  onTestFinished(() => bus.close());
  return bus;
}

/** Returns the error of opening; its message and cause must not contain the secret. */
async function refusal(options: string | NatsOptions): Promise<Error & { code: string }> {
  const bus = openNatsBus({ settings: readNatsOptions(options), connectMs: 100 });
  const error = await bus.then(
    () => expect.unreachable('it opened'),
    (reason: unknown) => reason as Error & { code: string },
  );
  expect(`${error.stack} ${JSON.stringify(error)} ${(error.cause as Error | undefined)?.stack}`).not.toContain(SECRET);
  return error;
}

const ask = (bus: Bus, subject: string, message: string) =>
  new Promise<string>((resolve) => bus.ask(subject, message, { answer: resolve, noResponder: () => resolve('no-responder') }));

describe('a server that restarts', () => {
  test('is detected; meanwhile requests have no responder and messages are lost; then the bus works again', async () => {
    const nats = await startNats();
    const [a, b] = await Promise.all([open(nats.url), open(nats.url)]);
    const heard: string[] = [];
    b.subscribe('news', (message) => heard.push(message));
    b.subscribe('calls', (message, answer) => answer(message), { group: 'nodes' });
    await b.flush();
    const changes: boolean[] = [];
    a.onConnection((connected) => changes.push(connected));
    a.onConnection(unexpected)();

    await nats.stop('SIGKILL');
    await vi.waitFor(() => expect([a.connected, b.connected]).toEqual([false, false]));
    a.publish('news', 'while it was down');
    expect(await ask(a, 'calls', 'call')).toBe('no-responder');
    await expect(a.flush()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: `NATS at 127.0.0.1:${nats.port} cannot be reached`,
    });
    b.subscribe('late', (message, answer) => answer(message), { group: 'nodes' });
    b.subscribe('news', unexpected)();

    await nats.start();
    await vi.waitFor(() => expect([a.connected, b.connected]).toEqual([true, true]));
    await settle(b, a);
    expect(await ask(a, 'calls', 'call')).toBe('call');
    expect(await ask(a, 'calls', 'x'.repeat(3_000_000))).toHaveLength(3_000_000);
    expect(await ask(a, 'late', 'call')).toBe('call');
    a.publish('news', 'after');
    await settle(a, b);
    expect(heard).toEqual(['after']);
    expect(changes).toEqual([false, true]);
  });

  test('allows less than before: large messages are sent in smaller pieces', async () => {
    const nats = await startNats();
    const [a, b] = await Promise.all([open(nats.url), open(nats.url)]);
    b.subscribe('calls', (message, answer) => answer(message), { group: 'nodes' });
    await nats.stop();
    await nats.start('max_payload: 4096');
    await vi.waitFor(() => expect([a.connected, b.connected]).toEqual([true, true]));
    await settle(b, a);
    expect(await ask(a, 'calls', 'x'.repeat(100_000))).toHaveLength(100_000);
  });

  test('is suspended: the bus reports a lost connection and reconnects when it continues', async () => {
    const nats = await startNats();
    const bus = await open(nats.url);
    nats.signal('SIGSTOP');
    await vi.waitFor(() => expect(bus.connected).toBe(false));
    nats.signal('SIGCONT');
    await vi.waitFor(() => expect(bus.connected).toBe(true));
    await bus.flush();
  });

  test('refuses the login for a while: the bus reconnects afterwards', async () => {
    const nats = await startNats('authorization { user: svc, password: "one" }');
    const logged: unknown[] = [];
    const url = nats.url.replace('//', '//svc:one@');
    const bus = await open(url, { info() {}, warn() {}, error: (fields) => logged.push(fields) });
    await nats.stop();
    await nats.start('authorization { user: svc, password: "two" }');
    await vi.waitFor(() => expect(logged).toEqual([{ nats: `127.0.0.1:${nats.port}`, reason: 'Authorization Violation' }]));
    await nats.stop();
    await nats.start('authorization { user: svc, password: "one" }');
    await vi.waitFor(() => expect(bus.connected).toBe(true));
    expect(JSON.stringify(logged)).not.toContain('one');
  });

  test('is down when the bus closes', async () => {
    const nats = await startNats();
    const bus = await open(nats.url);
    bus.subscribe('news', unexpected);
    await nats.stop('SIGKILL');
    await bus.close();
    expect(bus.connected).toBe(false);
  });
});

describe('logins', () => {
  const config = (users: string) => `authorization { users = [ ${users} ] }`;

  test('user and password, in the URL or the options; a wrong password is refused with the remedy', async () => {
    const nats = await startNats(config(`{ user: "svc", password: ${JSON.stringify(SECRET)} }`));
    await open({ servers: nats.url, user: 'svc', password: SECRET });
    await open(nats.url.replace('//', `//svc:${encodeURIComponent(SECRET)}@`));
    for (const wrong of [nats.url, { servers: nats.url, user: 'other', password: SECRET }, { servers: nats.url, token: SECRET }]) {
      const error = await refusal(wrong);
      expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('check user and password') });
      expect(error.message).toContain(`127.0.0.1:${nats.port}`);
    }
  });

  test('a token, in the URL or the options', async () => {
    const nats = await startNats(`authorization { token: ${JSON.stringify(SECRET)} }`);
    await open({ servers: nats.url, token: SECRET });
    await open(nats.url.replace('//', `//${encodeURIComponent(SECRET)}@`));
  });

  test('an nkey', async () => {
    const user = nkeys.createUser();
    const nats = await startNats(config(`{ nkey: ${user.getPublicKey()} }`));
    const seed = Buffer.from(user.getSeed()).toString();
    await open({ servers: nats.url, nkeySeed: seed });
    expect(await refusal({ servers: nats.url, nkeySeed: SECRET })).toMatchObject({ message: expect.stringContaining('is not a seed') });
  });

  test('a credentials file, which may be replaced while the bus runs', async () => {
    const { path, remove } = makeFolder();
    onTestFinished(remove);
    const [operator, account] = [nkeys.createOperator(), nkeys.createAccount()];
    const accountJwt = jwt(operator, account.getPublicKey(), {
      type: 'account',
      limits: { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1 },
    });
    const file = join(path, 'svc.creds');
    const writeLogin = () => {
      const user = nkeys.createUser();
      const userJwt = jwt(account, user.getPublicKey(), { type: 'user', subs: -1, data: -1, payload: -1 });
      const part = (what: string, text: string) => `-----BEGIN ${what}-----\n${text}\n------END ${what}------\n\n`;
      writeFileSync(file, part('NATS USER JWT', userJwt) + part('USER NKEY SEED', Buffer.from(user.getSeed()).toString()));
    };
    const operatorJwt = jwt(operator, operator.getPublicKey(), { type: 'operator' });
    writeFileSync(join(path, 'operator.jwt'), operatorJwt);
    const nats = await startNats(
      `operator: "${join(path, 'operator.jwt')}"\nresolver: MEMORY\nresolver_preload { ${account.getPublicKey()}: ${accountJwt} }`,
    );
    writeLogin();
    const bus = await open({ servers: nats.url, credentials: file });
    for (const replace of [writeLogin, () => writeFileSync(file, 'half a fi')]) {
      replace();
      await nats.stop();
      await vi.waitFor(() => expect(bus.connected).toBe(false));
      await nats.start();
      await vi.waitFor(() => expect(bus.connected).toBe(true));
    }
    expect(await refusal({ servers: nats.url, credentials: file })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(`${file} is not a credentials file`),
    });
  });

  test('the permissions of docs/operations.md are enough, and fewer are refused at the start', async () => {
    const permissions = (publish: string, subscribe: string) =>
      config(`{ user: svc, password: secret, permissions: { publish: ${publish}, subscribe: ${subscribe} } }`);
    const docs = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const [, documented = ''] = /```\n(authorization \{.*?)```/s.exec(docs) ?? [];
    const nats = await startNats(documented.replace('"…"', 'secret'));
    const login = { servers: nats.url, user: 'svc', password: 'secret' };
    const [a, b] = await Promise.all([open(login), open(login)]);
    b.subscribe('calls', (message, answer) => answer(message), { group: 'nodes' });
    await settle(b);
    expect(await ask(a, 'calls', 'x'.repeat(3_000_000))).toHaveLength(3_000_000);
    expect(await ask(a, 'nowhere', '')).toBe('no-responder');
    const denied = { code: 'INVALID_REQUEST', message: expect.stringContaining('may not publish and subscribe to "other.>"') };
    expect(await refusal({ ...login, prefix: 'other' })).toMatchObject(denied);
    // Closes the buses first: they would otherwise reconnect, be refused and log errors.
    await Promise.all([a.close(), b.close()]);
    for (const rights of [permissions('"svc.>"', '"svc.to.>"'), permissions('"svc.to.>"', '"svc.>"')]) {
      await nats.stop();
      await nats.start(rights);
      expect(await refusal(login)).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('"svc.>"; allow it both') });
    }
  });
});

describe('TLS', () => {
  async function setUp(more = '') {
    const { path, remove } = makeFolder();
    onTestFinished(remove);
    const { caFile, server, client } = makeCertificates(path);
    const nats = await startNats(`tls { cert_file: "${server.certFile}", key_file: "${server.keyFile}", ca_file: "${caFile}" ${more} }`);
    return { nats, caFile, client, name: `tls://localhost:${nats.port}` };
  }

  test('a server is trusted by its CA, by name and by address; a server of another CA is not', async () => {
    const { nats, caFile, name } = await setUp();
    for (const servers of [name, nats.url]) {
      const bus = await open({ servers, tls: { caFile } });
      await bus.flush();
      const error = await refusal({ servers });
      expect(error).toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/TLS fails \(\w+\); give the server's CA certificate/),
      });
    }
  });

  test('a client certificate is sent if the server requests one', async () => {
    const { caFile, client, name } = await setUp(', verify: true');
    const bus = await open({ servers: name, tls: { caFile, ...client } });
    await bus.flush();
    const error = await refusal({ servers: name, tls: { caFile } });
    expect(error.message).toContain('or give tls.certFile and tls.keyFile if it asks for a certificate');
  });

  test('a server without TLS is refused when TLS is required', async () => {
    const nats = await startNats();
    const error = await refusal(nats.url.replace('nats:', 'tls:'));
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('does not support TLS') });
  });
});

describe('addresses', () => {
  test('the error for an unused address names the address and the cure', async () => {
    const { nats, url } = await stoppedServer();
    expect(await refusal(url.replace('//', `//svc:${encodeURIComponent(SECRET)}@`))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: `Cannot reach NATS at 127.0.0.1:${nats.port} (connection refused): start nats-server there, or correct the address`,
    });
  });

  test('the error names a server that is not NATS', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(await refusal(`127.0.0.1:${port}`)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(`Cannot reach NATS at 127.0.0.1:${port} (unexpected response from server)`),
    });
  });

  test('one of several servers is enough, and the others are tried after its loss', async () => {
    const { nats: first, url } = await stoppedServer();
    const second = await startNats();
    const bus = await open([url, second.url].join(','));
    const changes: boolean[] = [];
    bus.onConnection((connected) => changes.push(connected));
    await first.start();
    await second.stop();
    await vi.waitFor(() => expect(changes).toEqual([false, true]));
    await bus.flush();
  });

  test('a server with a tiny max_payload is refused', async () => {
    const nats = await startNats('max_payload: 512\nmax_control_line: 512');
    expect(await refusal(nats.url)).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('its max_payload is 512') });
  });

  async function stoppedServer(): Promise<{ nats: NatsServer; url: string }> {
    const nats = await startNats();
    await nats.stop();
    return { nats, url: nats.url };
  }
});

describe('several on one NATS', () => {
  test('two prefixes receive no messages of each other', async () => {
    const nats = await startNats();
    const [a, b] = await Promise.all([open({ servers: nats.url, prefix: 'one' }), open({ servers: nats.url, prefix: 'two' })]);
    b.subscribe('calls', unexpected);
    await b.flush();
    a.publish('calls', 'hello');
    expect(await ask(a, 'calls', 'call')).toBe('no-responder');
    await settle(a, b);
  });

  test('buses in other processes answer, and killed ones get no further requests', async () => {
    const nats = await startNats();
    const bus = await open({ servers: nats.url, prefix: 'two-processes' });
    const start = async () => {
      const args = [
        '--import',
        './scripts/source-imports.ts',
        fileURLToPath(new URL('./bus-child.ts', import.meta.url)),
        nats.url,
        'two-processes',
      ];
      const child = startProcess(process.execPath, args);
      onTestFinished(() => child.kill('SIGKILL'));
      const [, pid] = await child.printed(/ready (\d+)/);
      return { child, pid };
    };
    const [one, two] = await Promise.all([start(), start()]);
    const answers = new Set(await Promise.all(Array.from({ length: 60 }, () => ask(bus, 'calls', 'call'))));
    expect(answers).toEqual(new Set([`call from ${one.pid}`, `call from ${two.pid}`]));
    one.child.kill('SIGKILL');
    await one.child.ended;
    // NATS still delivers to a killed process until it detects the end. Such requests stay unanswered, so each attempt sends another.
    const askBriefly = () => Promise.race([ask(bus, 'calls', 'call'), setTimeout(1_000, 'lost')]);
    await vi.waitFor(async () => {
      const later = new Set(await Promise.all(Array.from({ length: 20 }, askBriefly)));
      expect(later).toEqual(new Set([`call from ${two.pid}`]));
    }, 30_000);
    two.child.kill('SIGKILL');
    await two.child.ended;
    await vi.waitFor(async () => expect(await askBriefly()).toBe('no-responder'), 30_000);
  });
});

describe('messages of other programs', () => {
  async function setUp(logger?: Logger) {
    const nats = await startNats();
    const bus = await open(nats.url, logger);
    const peer = await connect({ servers: nats.url });
    onTestFinished(() => peer.close());
    return { bus, peer };
  }
  const withHeaders = (fields: Record<string, string>) => {
    const given = headers();
    for (const [name, value] of Object.entries(fields)) given.set(name, value);
    return { headers: given };
  };

  test('invalid headers are logged and ignored, any text reaches the listener, and the bus continues', async () => {
    const warned: string[] = [];
    const { bus, peer } = await setUp({ ...failOnError(), warn: (_, message) => warned.push(message) });
    const heard: string[] = [];
    bus.subscribe('news', (message) => heard.push(message));
    await bus.flush();
    const strange = ['', 'x', '0 0', 'a 0', 'a -1', 'a 1e9', 'a 999999999', '* 10', 'a.b 10', '> 5', 'a 10 10', 'a NaN'];
    for (const large of strange) peer.publish('svc.to.news', '', withHeaders({ 'Svc-From': 'somebody', 'Svc-Large': large }));
    for (const from of ['', '*', '>', 'a b', 'a.b', 'ä'])
      peer.publish('svc.to.news', '', withHeaders({ 'Svc-From': from, 'Svc-Large': 'a 10' }));
    peer.publish('svc.to.news', 'with a header', withHeaders({ Other: 'thing' }));
    peer.publish('svc.to.news', Uint8Array.of(0xff, 0xfe, 0x61));
    peer.publish('svc.to.news', 'answer me', { reply: 'somewhere.else' });
    await peer.flush();
    await bus.flush();
    expect(heard).toEqual(['with a header', '\ufffd\ufffda', 'answer me']);
    expect(new Set(warned)).toEqual(new Set(['a message on the bus is invalid: another program publishes under its prefix']));
    expect(warned).toHaveLength(strange.length + 6);
  });

  test('a large message whose sender disconnected is dropped at once, and the next messages are received', async () => {
    const { bus, peer } = await setUp();
    const heard: string[] = [];
    bus.subscribe('news', (message) => heard.push(message));
    await bus.flush();
    peer.publish('svc.to.news', '', withHeaders({ 'Svc-From': 'gone', 'Svc-Large': 'a 1000' }));
    peer.publish('svc.to.news', 'behind', withHeaders({ 'Svc-From': 'gone' }));
    await vi.waitFor(() => expect(heard).toEqual(['behind']));
  });

  test.each([
    ['nothing', ''],
    ['more than it said', 'x'.repeat(1001)],
  ])('a large message is dropped if its sender answers %s', async (_, piece) => {
    const { bus, peer } = await setUp();
    const heard: string[] = [];
    bus.subscribe('news', (message) => heard.push(message));
    await bus.flush();
    peer.subscribe('svc.inbox.strange.a', { callback: (_, message) => void message.respond(piece) });
    peer.publish('svc.to.news', '', withHeaders({ 'Svc-From': 'strange', 'Svc-Large': 'a 1000' }));
    peer.publish('svc.to.news', 'behind', withHeaders({ 'Svc-From': 'strange' }));
    await vi.waitFor(() => expect(heard).toEqual(['behind']));
  });

  test('a large message is dropped after a while if its sender stops answering', async () => {
    const { bus, peer } = await setUp();
    const heard: string[] = [];
    bus.subscribe('news', (message) => heard.push(message));
    await bus.flush();
    stopClock();
    const read = new Promise<void>((resolve) => peer.subscribe('svc.inbox.silent.a', { callback: () => resolve() }));
    peer.publish('svc.to.news', '', withHeaders({ 'Svc-From': 'silent', 'Svc-Large': 'a 1000' }));
    peer.publish('svc.to.news', 'behind', withHeaders({ 'Svc-From': 'silent' }));
    await read;
    await peer.flush();
    await bus.flush();
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(heard).toEqual(['behind']);
  });

  test('a large request that is announced and never read fails after a while', async () => {
    const { bus, peer } = await setUp();
    stopClock();
    const heardOf = new Promise<void>((resolve) => peer.subscribe('svc.to.calls', { callback: () => resolve() }));
    await peer.flush();
    const noResponder = vi.fn();
    bus.ask('calls', 'x'.repeat(2_000_000), { answer: unexpected, noResponder });
    await heardOf;
    await vi.advanceTimersByTimeAsync(9_999);
    expect(noResponder).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(noResponder).toHaveBeenCalledOnce();
  });

  test('a subscriber that reads a large message wrongly gets nothing, and others get the message', async () => {
    const { bus, peer } = await setUp();
    const other = await open(`nats://${peer.getServer()}`);
    let offer = '';
    peer.subscribe('svc.to.news', {
      callback: (_, { headers: sent }) => {
        offer = `svc.inbox.${sent?.get('Svc-From')}.${sent?.get('Svc-Large').split(' ')[0]}`;
        for (const offset of ['', 'x', '-1', '1.5', '1e99', '99999999']) peer.publish(offer, offset, { reply: 'svc.inbox.peer.a' });
        peer.publish(offer, '0');
        peer.publish(offer, '0', { reply: 'svc.to.news' });
      },
    });
    const heard: number[] = [];
    other.subscribe('news', (message) => heard.push(message.length));
    await peer.flush();
    await other.flush();
    bus.publish('news', 'x'.repeat(2_000_000));
    await vi.waitFor(() => expect(heard).toEqual([2_000_000]));
    expect(offer).toMatch(/^svc\.inbox\.[\w-]+\.\w+$/);
  });
});

function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Signed by an operator or account, as `nsc` makes them. */
function jwt(issuer: ReturnType<typeof nkeys.createUser>, subject: string, nats: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { jti: crypto.randomUUID(), iat: Math.floor(Date.now() / 1000), iss: issuer.getPublicKey(), sub: subject, name: 'test' };
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({ ...claims, nats: { ...nats, version: 2 } })}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}
