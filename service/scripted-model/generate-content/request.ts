/**
 * The part of the request that matters for tools, and a real server's errors for the rest.
 *
 * Errors: RequestError.
 * Source: the published types of the `@google/genai` package, and https://ai.google.dev/api/generate-content
 */
import * as z from 'zod';
import { parseBody, RequestError } from '../wire.ts';
import { contentSchema } from './content.ts';
import { withFieldNames } from './field-names.ts';
import { functionCallsOf, functionResponsesOf, responseTo, type Turn, textOf, toTurns } from './turns.ts';

const object = z.record(z.string(), z.unknown());
const functionDeclaration = withFieldNames(
  z
    .strictObject({
      name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/),
      description: z.string().min(1),
      parametersJsonSchema: object.optional(),
      responseJsonSchema: object.optional(),
      parameters: object.optional(),
    })
    .refine(
      ({ parameters, parametersJsonSchema }) => !parameters || !parametersJsonSchema,
      'parameters and parametersJsonSchema exclude each other',
    ),
);

const request = z.object({
  contents: z.array(contentSchema).min(1),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(functionDeclaration).min(1) })).optional(),
});

export type GenerateContentRequest = z.infer<typeof request>;

export function parseContentRequest(body: string): GenerateContentRequest {
  const parsed = request.safeParse(parseBody(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RequestError(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message}`);
  }
  const { contents, tools = [] } = parsed.data;
  refuseTwins(tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)));
  const turns = toTurns(contents);
  refuseUnansweredCalls(turns);
  refuseForgottenThoughts(turns);
  return parsed.data;
}

function refuseTwins(names: string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new RequestError(400, `The function ${twin} is declared twice`);
}

/** As a real server: a turn with function calls needs a next turn with only the same number of function responses. */
function refuseUnansweredCalls(turns: Turn[]): void {
  for (let index = 0; index <= turns.length; index += 1) {
    const calls = functionCallsOf(turns[index - 1]?.parts ?? []);
    const responses = functionResponsesOf(turns[index]?.parts ?? []);
    if (calls.length !== responses.length)
      throw new RequestError(400, `contents: ${calls.length} function calls have ${responses.length} function responses`);
    const unanswered = calls.find((call, place) => responseTo(call, place, responses)?.name !== call.name);
    if (unanswered) throw new RequestError(400, `contents: the call of ${unanswered.name} has no function response of its id and name`);
  }
}

/** As Gemini 3: the first call of every turn since the last question needs its thought signature. */
function refuseForgottenThoughts(turns: Turn[]): void {
  const asked = turns.findLastIndex(({ role, parts }) => role === 'user' && textOf(parts) !== '');
  for (const { parts } of turns.slice(asked + 1)) {
    const first = parts.find((candidate) => 'functionCall' in candidate);
    if (first && !first.thoughtSignature)
      throw new RequestError(400, `The call of ${first.functionCall.name} came without its thoughtSignature`);
  }
}
