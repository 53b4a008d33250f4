/**
 * Items of a conversation, as in `input`, and tools, with every allowed property, since the real server refuses any other.
 *
 * Source: `ResponseInputItem` and `Tool` of openai 7.
 */
import * as z from 'zod';

const status = z.enum(['in_progress', 'completed', 'incomplete']).nullish();
const functionName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const callId = z.string().min(1);
/** The prefix of an item's id is its type, and the server checks it. */
const idOf = (prefix: string) => z.string().startsWith(prefix).nullish();

const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
/** Scripts read neither images nor files. */
const seen = [
  z.strictObject({
    type: z.literal('input_image'),
    image_url: z.string().startsWith('data:image/'),
    detail: z.enum(['low', 'high', 'auto']).optional(),
  }),
  z.strictObject({ type: z.literal('input_file'), filename: z.string(), file_data: z.string().startsWith('data:') }),
] as const;
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()).optional(),
  logprobs: z.array(z.unknown()).optional(),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({
    type: z.literal('message'),
    id: idOf('msg_'),
    status,
    role: z.enum(['user', 'system', 'developer']),
    content: z.union([z.string(), z.array(inputText)]),
  }),
  z.strictObject({
    type: z.literal('message'),
    id: idOf('msg_'),
    status,
    role: z.literal('assistant'),
    phase: z.enum(['commentary', 'final_answer']).nullish(),
    content: z.union([z.string(), z.array(outputText)]),
  }),
]);

const reasoning = z.looseObject({ type: z.literal('reasoning'), id: idOf('rs_'), summary: z.array(z.unknown()) });

const caller = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('direct') }),
  z.strictObject({ type: z.literal('program'), caller_id: callId }),
]);

const program = z.strictObject({
  type: z.literal('program'),
  id: idOf('prog_'),
  call_id: callId,
  code: z.string(),
  fingerprint: z.string(),
});

const programOutput = z.strictObject({
  type: z.literal('program_output'),
  id: idOf('po_'),
  call_id: callId,
  result: z.string(),
  status,
});

const functionCall = z.strictObject({
  type: z.literal('function_call'),
  id: idOf('fc_'),
  status,
  call_id: callId,
  name: functionName,
  arguments: z.string(),
  caller: caller.nullish(),
});

const functionCallOutput = z.strictObject({
  type: z.literal('function_call_output'),
  id: idOf('fc'),
  status,
  call_id: callId,
  output: z.union([z.string(), z.array(z.discriminatedUnion('type', [inputText, ...seen]))]),
  caller: caller.nullish(),
});

export const functionTool = z
  .strictObject({
    type: z.literal('function'),
    name: functionName,
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullable(),
    strict: z.boolean().nullable().default(null),
    defer_loading: z.boolean().optional(),
    allowed_callers: z.array(z.enum(['direct', 'programmatic'])).nullish(),
    output_schema: z.record(z.string(), z.unknown()).nullish(),
  })
  .refine(({ strict, parameters }) => !strict || parameters?.additionalProperties === false, {
    path: ['parameters'],
    error: 'A strict function needs "additionalProperties": false',
  });

export const programsTool = z.strictObject({ type: z.literal('programmatic_tool_calling') });

export const toolSearchTool = z.strictObject({
  type: z.literal('tool_search'),
  execution: z.literal('client', 'This model searches nothing itself; set "execution": "client"'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()),
});

const toolSearchCall = z.strictObject({
  type: z.literal('tool_search_call'),
  id: idOf('tsc_'),
  status,
  call_id: callId,
  execution: z.literal('client'),
  arguments: z.unknown(),
});

const toolSearchOutput = z.strictObject({
  type: z.literal('tool_search_output'),
  id: idOf('tso_'),
  status,
  call_id: callId,
  execution: z.literal('client'),
  tools: z.array(functionTool),
});

const typed = z.discriminatedUnion('type', [
  message,
  reasoning,
  functionCall,
  functionCallOutput,
  toolSearchCall,
  toolSearchOutput,
  program,
  programOutput,
]);

/** Only messages may omit their type. */
export const item = z.preprocess((value) => (typeof value === 'object' && value !== null ? { type: 'message', ...value } : value), typed);

export type Item = z.infer<typeof typed>;
