import { expect, onTestFinished, test } from 'vitest';
import { findMistakes } from '../../../examples/toolkits/proofreading/mistakes.ts';
import { startProcess } from '../../support/processes';
import { startService } from '../../support/service';

test('doubled words and wrong spaces are mistakes, in the order of the text', () => {
  expect(findMistakes('It is is late ,  and the The moon shines.')).toEqual([
    { at: 3, found: 'is is', instead: 'is' },
    { at: 13, found: ' ,', instead: ',' },
    { at: 15, found: '  ', instead: ' ' },
    { at: 21, found: 'the The', instead: 'the' },
  ]);
  expect(findMistakes('It is late, and the moon shines. This island is.')).toEqual([]);
});

test('proofreading is charged by the words, and costs nothing without a mistake and for a text that is too long', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'proofreading' });
  const env = { SVC_TOOLKIT_API_KEY: key, SVC_BASE_URL: service.url };
  const toolkit = startProcess(process.execPath, ['examples/toolkits/proofreading.ts'], { env });
  onTestFinished(async () => {
    toolkit.kill('SIGTERM');
    await toolkit.ended;
  });
  await toolkit.printed(/Proofreading is ready/);
  const agent = await service.keys.create({ kind: 'agent', name: 'writer', budget: { perCall: '0.10', perDay: '5' } });
  const proofread = async (text: string) => {
    const headers = { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ action: 'proofreading__proofread', payload: { text } });
    return (await fetch(`${service.url}/v1/invoke`, { method: 'POST', headers, body })).json();
  };
  const paid = (charged: string) => ({ authorised: '0.05', charged, currency: 'USD' });
  expect(await proofread('It is is late.')).toMatchObject({ result: { words: 4, mistakes: [{ at: 3 }] }, payment: paid('0.001') });
  expect(await proofread(`the ${'a the '.repeat(200)}the`)).toMatchObject({ result: { words: 402 }, payment: paid('0.005') });
  expect(await proofread('It is late.')).toMatchObject({ result: { mistakes: [] }, payment: paid('0') });
  const tooLong = await proofread('the the '.repeat(2_501));
  expect(tooLong).toMatchObject({ code: 'ACTION_FAILED', cause: { code: 'TOO_LONG' } });
});
