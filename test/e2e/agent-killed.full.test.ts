/** An agent that is killed with SIGKILL loses nothing, and runs nothing twice. */
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isClean } from '../../bench/agent/audit-kills';
import { killAtRandom } from '../../bench/agent/kill-at-random';
import { type KillWorld, startKillWorld } from '../../bench/agent/kill-world';
import { randomOf } from '../../bench/common/random';
import { makeFolder } from '../support/folder';

function temporaryFolder(): string {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

async function startWorld(): Promise<KillWorld> {
  const world = await startKillWorld({ folder: temporaryFolder() });
  onTestFinished(() => world.close());
  return world;
}

async function restart(world: KillWorld): Promise<void> {
  await world.kill();
  await world.start().ready;
}

async function expectAllAnswered(world: KillWorld, calls: number): Promise<void> {
  await vi.waitFor(() => expect(world.audit()).toMatchObject({ lost: [], open: 0 }));
  expect(world.audit()).toMatchObject({ ranTwice: [], invalid: [], outOfOrder: [], calls });
}

test('killed during a model request', async () => {
  const world = await startWorld();
  await world.start().ready;
  const asked = world.hold.model('a', 1);
  await world.say('1001', 'a', 'count 2,1');
  await world.say('1001', 'b');
  await asked.reached;
  await restart(world);
  asked.open();
  await expectAllAnswered(world, 4);
  expect(world.audit().answeredTwice).toBe(0);
});

test('killed while a handler runs: the next start waits for its result', async () => {
  const world = await startWorld();
  await world.start().ready;
  const running = world.hold.handler('a', 0, 1);
  await world.say('1001', 'a', 'count 3,1');
  await world.say('1001', 'b');
  await running.reached;
  await restart(world);
  running.open();
  await expectAllAnswered(world, 5);
  expect(world.audit().answeredTwice).toBe(0);
});

test('killed after the handler, before its result is written', async () => {
  const world = await startWorld();
  await world.start().ready;
  const result = world.hold.result();
  await world.say('1001', 'a', 'count 1,2');
  await world.say('1001', 'b');
  await result.reached;
  await restart(world);
  await expectAllAnswered(world, 4);
  expect(world.audit().answeredTwice).toBe(0);
});

test('killed after the reply was sent, before the platform answers: it is sent again', async () => {
  const world = await startWorld();
  await world.start().ready;
  world.hold.reply();
  await world.say('1001', 'a', 'count 1');
  await world.say('1001', 'b');
  await vi.waitFor(() => expect(world.telegram.sent).toHaveLength(1));
  await restart(world);
  await expectAllAnswered(world, 2);
  expect(world.audit().answeredTwice).toBe(1);
});

test('an approval question survives, and is sent once', async () => {
  const world = await startWorld();
  await world.start().ready;
  await world.say('1001', 'a', 'destroy 1');
  await world.say('1001', 'b');
  await vi.waitFor(() => expect(askedIn(world)).toEqual([1]));
  await restart(world);
  await world.telegram.press({ chatId: '1001', button: 'yes' });
  await expectAllAnswered(world, 2);
  expect(world.telegram.sent.map(({ text }) => text.split('\n')[0])).toEqual(['May I do this?', 'Counted a', 'Counted b']);
});

/** Sent flags of the questions in the store. */
function askedIn({ store }: KillWorld): unknown[] {
  using database = new DatabaseSync(store);
  return database
    .prepare("SELECT approval ->> 'asked' AS asked FROM svc_turn WHERE state = 'asking'")
    .all()
    .map(({ asked }) => asked);
}

test('killed five times at random', async () => {
  const audit = await killAtRandom({ folder: temporaryFolder(), kills: 5, random: randomOf('killed') });
  expect(audit).toMatchObject({ lost: [], ranTwice: [], invalid: [], outOfOrder: [], open: 0, messages: 20 });
  expect(isClean(audit)).toBe(true);
});
