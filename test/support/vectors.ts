/** The files of test/vectors, and the fixture toolkit made from them with the real SDK. */
import { readFileSync } from 'node:fs';
import { type ActionAuth, type ActionContext, SvcError, type Toolkit, type ToolkitDetails } from 'svc-sdk';

export function vector<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
}

export interface Fixture {
  toolkit: ToolkitDetails & { name: string; description: string };
  actions: {
    action: string;
    actionDescription: string;
    payloadDescription?: object;
    annotations?: object;
    payment?: { amount: string };
    auth?: ActionAuth;
    long?: true;
  }[];
}

export const fixture: Fixture = vector('fixture');

export function registrationsOf({ actions }: Fixture): Omit<Fixture['actions'][number], 'handler'>[] {
  return actions.map(({ action, actionDescription, payloadDescription, annotations, payment, auth, long }) => ({
    action,
    actionDescription,
    ...(payloadDescription && { payloadDescription }),
    ...(annotations && { annotations }),
    ...(payment && { payment }),
    ...(auth !== undefined && { auth }),
    ...(long && { long }),
  }));
}

/** The fixture of a transcript in which these actions take long. */
export function fixtureWithLong(long: readonly string[] = []): Fixture {
  return { ...fixture, actions: fixture.actions.map((action) => ({ ...action, ...(long.includes(action.action) && { long: true }) })) };
}

/** Actions that make the list of a toolkit long. */
export function moreRegistrations(count: number): { action: string; actionDescription: string }[] {
  return Array.from({ length: count }, (_, n) => ({ action: `more_${n}`, actionDescription: 'x'.repeat(2_000) }));
}

/** One pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Gives the toolkit the actions of `toolkit-connections.json`. */
export function defineConnectionsFixture(toolkit: Toolkit, connections: Fixture): void {
  const handlers: Record<string, Parameters<Toolkit['action']>[1]> = {
    show: shownConnection,
    renew: async (ctx) => {
      await ctx.connection?.refused();
      return shownConnection(ctx);
    },
    refuse: (ctx) => ctx.error('CONNECTION_REQUIRED', 'This account may not read'),
    relay: () => {
      throw new SvcError('CONNECTION_REQUIRED', 'Connect elsewhere');
    },
    open: ({ connection }) => ({ connected: connection !== undefined }),
  };
  addActions(toolkit, registrationsOf(connections), handlers);
}

function shownConnection({ connection }: ActionContext): object {
  if (!connection) return {};
  const { id, type, token, username, password, apiKey, account, expiresAt } = connection;
  const printed = `${connection}`;
  return JSON.parse(
    JSON.stringify({
      id,
      type,
      token,
      username,
      password,
      apiKey,
      account,
      expiresAtMs: expiresAt?.getTime(),
      headers: connection.headers(),
      printed,
    }),
  );
}

function addActions(
  toolkit: Toolkit,
  registrations: ReturnType<typeof registrationsOf>,
  handlers: Record<string, Parameters<Toolkit['action']>[1]>,
) {
  for (const registration of registrations) {
    const handler = handlers[registration.action];
    if (!handler) throw new Error(`No handler for ${registration.action}`);
    toolkit.action(registration, handler);
  }
}

/** Gives the toolkit the fixture's actions; `openGate` lets `gate` go. */
export function defineFixture(toolkit: Toolkit, registered = fixture): { openGate(): void } {
  let openGate = () => {};
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const handlers: Record<string, Parameters<Toolkit['action']>[1]> = {
    echo: (_ctx, payload) => payload,
    fail: (ctx) => ctx.error('NO_LUCK', 'It failed', { data: { dice: 1 } }),
    report: (ctx) => {
      ctx.progress({ progress: 1, total: 2, message: 'half' });
      ctx.progress({ progress: 2, total: 2 });
      return 'done';
    },
    hang: (ctx) => new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve('stopped'))),
    show: (ctx) => {
      ctx.image(Buffer.from(PNG, 'base64'), 'image/png');
      ctx.file('a,b', 'text/csv', 'table.csv');
      ctx.link('https://example.com/picture.png');
      return { width: 1 };
    },
    tell: ({ idempotencyKey, attempt }) => ({ idempotencyKey, attempt }),
    gate: () => gate.then(() => 'passed'),
    sell: async (ctx, payload) => {
      ctx.charge('0.03');
      if ('wait' in payload) await gate;
      return ctx.payment;
    },
    erase: () => 'erased',
  };
  addActions(toolkit, registrationsOf(registered), handlers);
  return { openGate };
}
