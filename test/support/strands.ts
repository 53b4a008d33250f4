import { parseJson } from '../../service/scripted-model/parse-json.ts';

/** The JSON that a model of OpenAI reads in a failure: Strands marks it. */
export function understandStrands(output: unknown): unknown {
  return typeof output === 'string' ? parseJson(output.replace(/^\[ERROR\] /, '')) : output;
}
