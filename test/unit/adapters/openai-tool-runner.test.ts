/** The runner that openai 7 brings for the Responses API. */
import OpenAI from 'openai';
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner';
import { loadSvcResponsesTools, svcResponsesTools } from 'svc-sdk/openai';
import { expect, test, vi } from 'vitest';
import { stagesOfFile } from '../../contract/stage';

const startStage = stagesOfFile();

const invoke = (action: string, payload: object) => ({ name: 'invoke_service', arguments: { action, payload } });

test('its run continues after an action that failed', async () => {
  const stage = await startStage();
  const model = await stage.model(({ turns }) => {
    if (turns.length === 0) return { calls: [{ name: 'search_services', arguments: { query: 'weather' } }] };
    if (turns.length > 1) return { content: 'Done.' };
    return { calls: ['Atlantis', 'Rome'].map((city) => invoke('weather__today', { city })) };
  });
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const runner = new ResponsesToolRunner({ functions: svcResponsesTools(stage.tools).functions });
  const response = await runner.run(openai, { model: 'm', input: 'Please do it.' });
  expect(response.output_text).toBe('Done.');
  expect(model.conversations.at(-1)?.turns[1]?.map(({ output }) => output)).toEqual([
    { error: expect.objectContaining({ code: 'ACTION_FAILED' }) },
    { city: 'Rome', celsius: 21 },
  ]);
});

test('independent calls of one streamed response run at the same time', async () => {
  const stage = await startStage();
  const model = await stage.model(({ turns }) =>
    turns.length > 0 ? { content: 'Done.' } : { calls: ['a', 'b'].map((name) => ({ name: 'probe__meet', arguments: { name, of: 2 } })) },
  );
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const { functions } = await loadSvcResponsesTools({ tools: stage.tools, staticActions: ['probe__meet'] });
  const options = { stream: true, eager: true };
  await new ResponsesToolRunner({ functions }).run(openai, { model: 'm', input: 'Please do it.' }, options);
  expect(model.conversations.at(-1)?.turns[0]?.map(({ output }) => output)).toEqual([
    { name: 'a', met: 2 },
    { name: 'b', met: 2 },
  ]);
});

test('an abort of the run cancels the action', async () => {
  const stage = await startStage();
  const model = await stage.model(() => ({ calls: [invoke('probe__hang', {})] }));
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const controller = new AbortController();
  const runner = new ResponsesToolRunner({ functions: svcResponsesTools(stage.tools).functions });
  const run = runner.run(openai, { model: 'm', input: 'Please do it.' }, { signal: controller.signal });
  const ended = expect(run).rejects.toThrow();
  const { aborted } = await stage.hanging();
  controller.abort();
  await aborted;
  await ended;
  await vi.waitFor(() => expect(stage.records()).toContainEqual({ action: 'probe__hang', code: 'INVOCATION_CANCELLED' }));
});
