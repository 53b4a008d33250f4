/** `POST /v1/rules/preview`: what rules would have done to the calls of the last days. */
import * as z from 'zod';
import type { Rule } from './rules';
import { components } from './schemas';

export interface RulePreviewRequest {
  rules: Rule[];
  /** Id of an agent key. Default: the calls of all keys that one may see. */
  key?: string;
  /** Default: 30. */
  days?: number;
}

const effect = z.enum(['allow', 'ask', 'deny']);

export const rulePreview = z
  .object({
    calls: z.int().describe('Calls that were counted, the newest first'),
    isPart: z.literal(true).exactOptional().describe('There are more calls than were counted'),
    allow: z.int(),
    ask: z.int(),
    deny: z.int(),
    unknown: z.int().describe('Calls whose payload or user was not kept, or whose action is gone, where that decides'),
    byRule: z
      .array(z.object({ index: z.int(), calls: z.int() }))
      .describe('Calls about which a rule that asks or denies decides, for each rule'),
    examples: z
      .array(
        z.object({
          invocationId: z.string(),
          action: z.string(),
          startedAt: z.string().describe('ISO 8601, UTC'),
          do: effect,
          index: z.int().exactOptional().describe('The rule that decides. Absent: a default by hint'),
        }),
      )
      .describe('The newest calls that would ask or be denied'),
  })
  .register(components, { id: 'RulePreview' });
export type RulePreview = z.output<typeof rulePreview>;
