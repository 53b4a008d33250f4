/** The agents of `examples/` and of the README, in separate processes, on the built package. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FakeTelegram, startFakeTelegram } from 'svc-sdk/agent/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CANCELLING, startExampleStage } from '../support/example';
import { makeFolder } from '../support/folder';
import { codeBlocks } from '../support/markdown';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

function makeDirectory(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

describe('in Telegram', () => {
  async function startTelegram(): Promise<{ telegram: FakeTelegram; env: Record<string, string> }> {
    const telegram = await startFakeTelegram();
    onTestFinished(() => telegram.close());
    const { botToken, apiRoot } = telegram.clientOptions;
    return { telegram, env: { TELEGRAM_BOT_TOKEN: botToken, TELEGRAM_API_ROOT: apiRoot, SVC_MODEL: 'openai/gpt-5-mini' } };
  }

  test('examples/agent/telegram.ts answers, asks before a destructive action, and ends with SIGTERM', async () => {
    const stage = await startExampleStage();
    const { telegram, env } = await startTelegram();
    const agent = stage.run('agent/telegram.ts', [], { env: { ...env, SVC_AGENT_STORE: join(makeDirectory(), 'agent.db') } });
    await telegram.say({ text: 'What is the weather in Rome?', chatId: '1001' });
    await expect.poll(() => telegram.sent.at(-1)?.text).toBe('Rome: 21 degrees');
    await telegram.say({ text: 'Cancel order 17', chatId: '1001' });
    await expect.poll(() => telegram.sent.at(-1)?.text).toMatch(CANCELLING);
    expect(stage.cancelled).toEqual([]);
    await telegram.press({ chatId: '1001', button: 'yes' });
    await expect.poll(() => telegram.sent.at(-1)?.text).toBe('Order 17 is cancelled.');
    expect(stage.cancelled).toEqual([17]);
    agent.kill('SIGTERM');
    expect(await agent.ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('agent.mjs of the README answers', async () => {
    const stage = await startExampleStage();
    const { telegram, env } = await startTelegram();
    const project = makeDirectory();
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(root('.'), join(project, 'node_modules/svc-sdk'));
    const [program] = codeBlocks('README.md').filter(({ file }) => file === 'agent.mjs');
    // The README uses the real Telegram API.
    const text = program?.text.replace('botToken:', 'apiRoot: process.env.TELEGRAM_API_ROOT, botToken:') ?? '';
    writeFileSync(join(project, 'agent.mjs'), text);
    stage.start(join(project, 'agent.mjs'), [], { env, cwd: project });
    await telegram.say({ text: 'What is the weather in Rome?' });
    await expect.poll(() => telegram.sent.at(-1)?.text).toBe('Rome: 21 degrees');
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(6);
  });
});
