/** zod schemas of runs of code. docs/protocol.md, section 14. */
import * as z from 'zod';
import { RUN_NAME, type RunAnswer, type RunAsk, type RunError, type RunErrorCode, type RunningRun, type RunRequest } from './runs';
import { components, content, requiredApproval, requiredConnection } from './schemas';

/** Questions of one run: its program has at most ten calls at once. */
const MAX_DECISIONS = 100;

const approvalIds = z
  .array(z.string('must be the id of an approval, apr_…').max(100, 'may have at most 100 characters'), 'must be a list of ids of approvals')
  .max(MAX_DECISIONS, `may have at most ${MAX_DECISIONS} ids`)
  .exactOptional();

export const runRequest = z
  .strictObject({
    code: z
      .string('must be a text: the JavaScript of the program')
      .min(1, 'must not be empty')
      .describe('JavaScript: the body of an async function, at most 100,000 characters'),
    run: z
      .string('must be a text')
      .regex(RUN_NAME, 'must have 1 to 200 letters, digits, _ and -')
      .exactOptional()
      .describe('The name of the run, in place of Idempotency-Key: a request with the same one attaches to the run'),
    approved: approvalIds.describe("The run's own questions (apr_…) that the app approves for its user"),
    refused: approvalIds.describe("The run's own questions (apr_…) that the app refuses for its user"),
  })
  .register(components, { id: 'RunRequest' }) satisfies z.ZodType<RunRequest>;

const RUN_ERROR_CODES = [
  'CODE_TOO_LONG',
  'SYNTAX_ERROR',
  'PROGRAM_ERROR',
  'MEMORY_LIMIT',
  'CPU_LIMIT',
  'TIMEOUT',
  'TOO_MANY_CALLS',
  'RESULT_TOO_LONG',
  'CALLS_NOT_AWAITED',
  'NEVER_ENDS',
  'DIVERGED',
  'CANCELLED',
  'BUSY',
  'SANDBOX_LOST',
  'KEY_ENDED',
] as const satisfies readonly RunErrorCode[];

const run = z.string().describe('Id of the run: run_…');
const log = z.string().exactOptional().describe('The lines that the program logged');
const emitted = content.exactOptional().describe('Texts and images that the program emitted, in order');

const runError = z.object({
  code: z.enum(RUN_ERROR_CODES),
  message: z.string(),
  at: z.object({ line: z.int(), source: z.string() }).exactOptional().describe("The program's own line, from 1, and its text"),
  details: z.unknown().optional(),
}) satisfies z.ZodType<RunError>;

const runAsk = z.object({
  approval: requiredApproval.exactOptional(),
  connect: requiredConnection.exactOptional(),
  handle: z.string().exactOptional().describe('Handle of a call that goes on without its caller'),
  action: z.string().describe('Action id'),
  payload: z.record(z.string(), z.unknown()).describe('The payload that would run'),
}) satisfies z.ZodType<RunAsk>;

export const runAnswer = z
  .discriminatedUnion('status', [
    z.object({
      run,
      status: z.literal('done'),
      result: z.unknown().describe('Any JSON: the returned value; null for none'),
      log,
      content: emitted,
      calls: z.int().describe('Calls, searches and descriptions that the program asked for'),
    }),
    z.object({
      run,
      status: z.literal('failed'),
      error: runError,
      log,
      content: emitted,
      ran: z.array(z.string()).describe('Ids of the actions that ran, or may have run'),
    }),
    z.object({ run, status: z.literal('waiting'), asks: z.array(runAsk).describe('The calls that wait'), log }),
  ])
  .register(components, { id: 'RunAnswer' }) satisfies z.ZodType<RunAnswer>;

export const runningRun = z
  .object({ run, status: z.literal('running'), calls: z.int().describe('Calls so far') })
  .register(components, { id: 'RunningRun' }) satisfies z.ZodType<RunningRun>;
