import { parseJson } from '../../service/scripted-model/parse-json.ts';

/** The JSON that a model reads in what LlamaIndex has made of the words of a tool: with single quotes, a failure behind a prefix. */
export function understandLlamaIndex(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  return parseJson(output.replace(/^Error: Error: Error\(SvcError\): /, '').replaceAll("'", '"'));
}
