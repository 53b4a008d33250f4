/** A store with all that can be in one: every column with and without a value, texts that are hard to carry, more rows than a page. */
import type { InvocationStart, Store } from '../../src/store/store';
import { aGrant } from '../contract/store-records';

const NOW = 1_700_000_000_000;
/** U+2028 ends lines for some readers; the last two are in another order by UTF-16 than by their bytes. */
const HARD = ['plain', 'quote " backslash \\ tab \t', 'line\u2028separator', 'ＵＦＦＦ\uff5a', 'Grüße 🌤️'];
const MANY = 120;
/** An amount above the exact integers of JavaScript. */
const LARGE = 900_000_000_000_000_001n;

export async function fillStore(store: Store): Promise<void> {
  const { keys, catalog, invocations, evidence, vectors } = store;
  for (const [index, description] of HARD.entries()) {
    await catalog.insertToolkit({ id: `toolkit-${index}`, name: description, description, createdAt: NOW + index });
    if (index === 1) await catalog.updateToolkit({ id: 'toolkit-1', name: description, description, namedAt: NOW + 1_000 });
    const names = Array.from({ length: MANY }, (_, number) => `action_${number}`);
    const upsert = names.map((name) => ({
      toolkitId: `toolkit-${index}`,
      name,
      description,
      payloadSchema: { type: 'object' as const, properties: { [description]: { type: 'string' as const } } },
      annotations: { idempotent: true },
      ...(name === 'action_1' && { payment: { amount: '0.05', currency: 'USD' } }),
    }));
    await catalog.changeActions(`toolkit-${index}`, { upsert, remove: [] });
    const approval = {
      toolkitId: `toolkit-${index}`,
      name: 'action_0',
      hash: 'a'.repeat(64),
      hasShape: false,
      text: description,
      approvedAt: NOW,
    };
    await catalog.approve(`toolkit-${index}`, [approval]);
    await catalog.reject(`toolkit-${index}`, [
      { toolkitId: `toolkit-${index}`, name: 'never', hash: 'b', reason: description, rejectedAt: index },
    ]);
    await store.callers.of(`toolkit-${index}`, ['key_a', 'key_b']);
  }
  await store.toolkitProfiles.put({ toolkitId: 'toolkit-0', changedAt: NOW });
  for (const [index, readme] of HARD.entries()) {
    const icon = { iconType: 'image/png' as const, icon: 'iVBORw0KGgo=' };
    const words = { readme, homepage: 'https://example.com/', category: 'data' as const, version: readme };
    await store.toolkitProfiles.put({ toolkitId: `toolkit-${index + 1}`, ...icon, ...words, changedAt: NOW });
  }
  const nothing = {
    toolkitId: null,
    allow: null,
    callsPerMinute: null,
    budget: null,
    rules: null,
    code: false,
    expiresAt: null,
    revokedAt: null,
    ownerId: null,
    clientId: null,
    createdAt: NOW,
  };
  await keys.insert({ ...nothing, id: 'key_b', kind: 'agent', name: 'Ada’s', hash: 'b'.repeat(64) });
  await keys.insert({
    ...nothing,
    id: 'key_O',
    kind: 'agent',
    name: 'owned',
    hash: 'f'.repeat(64),
    ownerId: 'person_1',
    clientId: 'https://client.example/app',
  });
  await keys.insert({ ...nothing, id: 'key_T', kind: 'toolkit', name: 'T', hash: 'c'.repeat(64), toolkitId: 'toolkit-1' });
  const allow = { toolkits: ['toolkit-1'], actions: [] };
  await keys.insert({
    ...nothing,
    id: 'key_a',
    kind: 'agent',
    name: 'all',
    code: true,
    hash: 'd'.repeat(64),
    allow,
    callsPerMinute: 60,
    budget: { perCall: '0.1', perDay: '999999999999.999999' },
    rules: [{ match: { action: 'shop__*', payload: [{ path: '/amount', above: 100 }] }, do: 'ask', decidedBy: 'app' }],
    expiresAt: NOW * 2,
  });
  await keys.revoke('key_a', NOW + 5);

  const call = (index: number, idempotencyKey: string | null): InvocationStart => ({
    id: `inv_${String(index).padStart(6, '0')}`,
    agentKeyId: 'key_b',
    idempotencyKey,
    requestHash: 'e'.repeat(64),
    action: 'toolkit-1__action_1',
    startedAt: NOW + index,
    ...(isPaid(index) && { hold: { amount: index === 1 ? LARGE : 50_000n, currency: 'USD', perDay: LARGE * 2n } }),
  });
  for (let index = 0; index < MANY; index++) {
    const isRunning = index % 10 === 0;
    const body = index === 1 ? JSON.stringify('x'.repeat(1024 * 1024)) : JSON.stringify(HARD[index % HARD.length]);
    await invocations.start(call(index, index % 3 === 0 ? null : `key-${index} ${HARD[index % HARD.length]}`));
    const charged = index === 1 ? LARGE - 1n : index === 7 ? 0n : 30_000n;
    const code = index === 4 ? 'OUTCOME_UNKNOWN' : 'OK';
    const outcome = { code, body, endedAt: NOW + index + 7, ...(isPaid(index) && index !== 4 && { charged }) };
    if (!isRunning) await invocations.end(call(index, null).id, outcome);
  }
  invocations.refused(call(MANY, 'refused'), { code: 'TOOLKIT_OFFLINE', body: null, endedAt: NOW });
  await invocations.settled();
  // A list waits until the tables have all calls. The evidence below waits for no other writer of the file.
  await invocations.list({ limit: 1 });

  await evidence.secret();
  await evidence.save(
    HARD.flatMap((text, index) =>
      Array.from({ length: MANY }, (_, number) => ({
        action: `toolkit-1__action_${number}`,
        query: `q${index}`,
        agentKeyId: `key_${number % 7}`,
        terms: ['t1', text],
        text: index === 0 ? null : text,
        successes: 1 / 3 + number,
        failures: number / 7,
        succeededAt: index === 1 ? null : NOW,
        changedAt: NOW + number,
      })),
    ),
  );
  await vectors.put(
    HARD.map((_, index) => ({ actionId: `toolkit-${index}__action_1`, fingerprint: 'f', vector: Int8Array.of(-128, 0, index, 127) })),
  );
  // The first one is the last in the order of bytes.
  await vectors.put(
    ['\u{1f600}', '\uff5a', 'Z', 'a'].map((actionId) => ({ actionId, fingerprint: 'f', vector: new Int8Array(384).fill(-1) })),
  );
  await fillConsole(store);
}

/** Paid calls have an idempotency key. One of these is running, one has an unknown outcome, and one is released. */
function isPaid(index: number): boolean {
  return index < 20 && index % 3 === 1;
}

async function fillConsole({
  accounts,
  audit,
  savedViews,
  settings,
  counts,
  searches,
  sessionRequests,
  sessionSums,
  invocations,
  ledger,
  oauth,
}: Store): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const times = { created_at: at, updated_at: at };
  for (const [index, name] of HARD.entries()) {
    const id = `person_${index}`;
    const more = index % 2 ? { image: 'https://example.com/x.png' } : {};
    const person = { id, name, email: `${index}@example.com`, email_verified: index % 2, role: index ? 'member' : 'owner' };
    await accounts.tables
      .insertInto('people')
      .values({ ...person, ...more, ...times })
      .execute();
    const login = { id: `login_${index}`, person_id: id, account_id: id, provider_id: 'credential' };
    await accounts.tables
      .insertInto('logins')
      .values({ ...login, ...(index ? { password: name } : { id_token: 't', scope: 's' }), ...times })
      .execute();
    const passkey = { id: `passkey_${index}`, person_id: id, public_key: 'k', credential_id: 'c', counter: index, device_type: 'd' };
    await accounts.tables
      .insertInto('passkeys')
      .values({ ...passkey, backed_up: 1, ...(index && { name, created_at: at }) })
      .execute();
    // These do not last.
    await accounts.tables
      .insertInto('sessions')
      .values({ id, person_id: id, token: `t${index}`, expires_at: at, ...times })
      .execute();
    await accounts.tables
      .insertInto('verifications')
      .values({ id, identifier: name, value: 'v', expires_at: at, ...times })
      .execute();
    const invitation = { id: `inv_${index}`, hash: String(index).repeat(64), role: 'member', createdAt: NOW, expiresAt: NOW * 2 } as const;
    await accounts.invite({ ...invitation, name: index ? name : null, personId: index ? id : null, madeBy: index ? null : id });
    const actor = { kind: 'person', id, name } as const;
    await audit.insert({ id: `aud_${index}`, at: NOW + index, actor, what: 'key.create', subject: name, details: { name } });
    await savedViews.insert({
      id: `view_${index}`,
      ownerId: id,
      page: 'keys',
      name,
      query: '?a=1',
      shared: index % 2 === 1,
      createdAt: NOW,
    });
    await settings.put([{ name: `setting-${index}`, value: name }], NOW);
    await counts.add([
      { dimension: 'all', name: '', step: index < 3 ? 60 : 3_600, start: NOW, code: 'OK', bucket: index, calls: index + 1 },
    ]);
    await searches.add([
      { day: NOW, query: name, agentKeyIds: ['key_a', 'key_b'], searches: 2, empty: 1, used: 1, lastAt: NOW },
      { day: NOW, query: name, action: 'toolkit-1__action_1', searches: 1, empty: 0, used: 1, lastAt: NOW },
    ]);
    const request = { agentKeyId: 'key_a', sessionId: 'chat', userId: index ? name : null, at: NOW + index, searchId: null };
    await sessionRequests.add([
      { ...request, id: `node_1.${index}`, query: index ? name : null, shown: ['toolkit-1__action_1'] },
      { ...request, id: `inv_00000${index}`, query: null, shown: null },
    ]);
    const activity = { firstAt: NOW, lastAt: NOW + index, searches: 1, inVain: 0, calls: 1, errors: 0, cost: index ? LARGE : 0n };
    const whose = { agentKeyId: 'key_a', sessionId: index ? `chat ${name}` : 'chat', userId: index ? name : null };
    await sessionSums.add({
      sessions: [{ ...whose, ...activity, lastCall: index ? { at: NOW, code: 'OK' } : null }],
      users: index ? [{ agentKeyId: 'key_a', userId: name, day: NOW - (NOW % 86_400_000), ...activity }] : [],
    });
    const tokens = { input: 10, cached: index, output: 1 };
    await sessionSums.addUsage([{ ...whose, id: `u${index}`, model: index ? name : '', tokens, at: NOW }]);
    invocations.keepDetails({ id: `inv_00000${index}`, timeline: '[]', payload: index ? JSON.stringify(name) : null, result: null });
  }
  await accounts.useInvitation('inv_1', NOW);
  // These do not last either.
  await oauth.addCode({ hash: 'a'.repeat(64), request: '{}', expiresAt: NOW });
  await oauth.addGrant(aGrant());
  // Writes without a waiting caller are done when the list is there.
  await invocations.list({ limit: 1 });
  await ledger.settle(['inv_000001'], NOW + 1_000);
}
