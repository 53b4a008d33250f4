/** zod schemas of runs of code as people and admin keys see them. docs/protocol.md, section 14. */
import * as z from 'zod';
import { invocationsPage } from './admin-schemas';
import { runAnswer, runningRun } from './run-schemas';
import { components } from './schemas';

const time = z.string().describe('RFC 3339');

const runInfo = z.object({
  id: z.string(),
  status: z.enum(['running', 'waiting', 'done', 'failed']),
  key: z.object({ id: z.string(), name: z.string() }),
  user: z.string().exactOptional().describe('The user of the run, as its caller names them'),
  session: z.string().exactOptional().describe('The conversation of the run, as its caller names it'),
  calls: z.int().describe('Calls, searches and descriptions so far'),
  attempt: z.int().describe('How often the program began again'),
  createdAt: time,
  endedAt: time.exactOptional(),
});
export type RunInfo = z.output<typeof runInfo>;

export const keptRunsQuery = z.object({
  key: z.string().exactOptional().describe('Id of an agent key'),
  session: z.string().exactOptional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().exactOptional(),
});

export const keptRunsPage = z
  .object({ runs: z.array(runInfo), nextCursor: z.string().exactOptional() })
  .register(components, { id: 'RunsPage' });

export const keptRun = runInfo
  .extend({
    code: z.string().describe('The program'),
    answer: z.union([runAnswer, runningRun]).describe('As its caller gets it'),
    invocations: invocationsPage.shape.invocations.describe('Its newest calls of actions, at most 200'),
    cost: z
      .object({ amount: z.string(), currency: z.string() })
      .exactOptional()
      .describe('All of these calls together; absent: they were free'),
  })
  .register(components, { id: 'KeptRun' });
export type KeptRunDetails = z.output<typeof keptRun>;
