/** Compiled, never run; openai before 7 has no runner for the Responses API. */
import type OpenAI from 'openai';
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner';
import { svcResponsesTools } from 'svc-sdk/openai';

declare const openai: OpenAI;

export function responsesToolRunner(): Promise<OpenAI.Responses.Response> {
  return new ResponsesToolRunner({ functions: svcResponsesTools().functions }).run(openai, { model: 'm', input: 'How are you?' });
}
