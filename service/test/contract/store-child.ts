/** Another process at the same data: `open <path>` opens its keys once, `write <path>` writes until it is killed and prints what was acknowledged. */
import { openSqliteData, openSqliteStore } from '../../src/store/sqlite/open';
import { aCall, OK } from './store-records';

const [task, path = ''] = process.argv.slice(2);

async function open(): Promise<void> {
  try {
    await (await openSqliteData({ path })).close();
    console.log('opened');
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    console.log(code, message);
  }
}

async function write(): Promise<void> {
  const { invocations } = await openSqliteStore({ path });
  const writer = async () => {
    for (;;) {
      const call = aCall({ idempotencyKey: crypto.randomUUID() });
      await invocations.start(call);
      await invocations.end(call.id, OK);
      process.stdout.write(`${call.id}\n`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
}

void (task === 'write' ? write() : open());
