/**
 * All that an SDK in any language is tested with, in one process: `node test/world.ts`. When it is ready it prints one line of JSON with addresses, keys
 * and credentials. It ends when its stdin ends, or at SIGTERM. test/vectors/README.md describes the line and the control requests.
 */
import { startFakeDiscord, startFakeTelegram, startFakeX } from 'svc-sdk/agent/testing';
import { connectAccount } from './world/connect-page.ts';
import { startJsonServer } from './world/json-server.ts';
import { startScriptModel } from './world/script-model.ts';
import { startServiceWorld } from './world/service-world.ts';

const service = await startServiceWorld();
const model = await startScriptModel();
const telegram = await startFakeTelegram();
const discord = await startFakeDiscord();
const x = await startFakeX();
const control = await startJsonServer({
  'GET /calls': () => ({ body: service.calls }),
  'GET /runs': () => ({ body: Object.fromEntries(service.runs) }),
  'POST /gate': () => {
    service.openGate();
    return {};
  },
  'POST /connect': async (body) => ({ body: { code: await connectAccount((body as { url: string }).url) } }),
});

const { promise: over, resolve: end } = Promise.withResolvers<void>();
// The pipe of a program that exits is closed, so the world ends with its program.
process.stdin.resume().once('end', end).once('error', end);
process.once('SIGTERM', end);
process.once('SIGINT', end);

console.log(
  JSON.stringify({
    service: { url: service.url, recordedUrl: service.recordedUrl },
    keys: service.keys,
    control: control.origin,
    model: { origin: model.origin, baseUrl: model.baseUrl },
    telegram: { ...addressOf(telegram), mention: `@${telegram.botName}` },
    discord: { ...addressOf(discord), mention: discord.mention },
    x: { ...addressOf(x), mention: `@${x.botName}` },
  }),
);
await over;
await Promise.all([control, model, telegram, discord, x].map((part) => part.close()));
await service.close();
// After SIGTERM stdin is still open.
process.exit(0);

function addressOf({ origin, clientOptions, wrongCredentials }: typeof telegram | typeof discord | typeof x) {
  return { origin, clientOptions, wrongCredentials };
}
