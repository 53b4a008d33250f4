/** `POST /v1/rules/preview`: a member sees it for the calls of their own agent keys. docs/protocol.md section 10. */
import * as z from 'zod';
import { MAX_PREVIEW_DAYS } from '#sdk/protocol/admin-constants';
import { type RulePreviewRequest, rulePreview } from '#sdk/protocol/rule-preview-schemas';
import { components } from '#sdk/protocol/schemas';
import { checkedRules } from '../../rules/checked-rules';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { previewRules } from './rule-preview';
import { requireKey, visibleTo } from './visibility';

const rulePreviewRequest = z
  .strictObject({
    rules: checkedRules,
    key: z
      .string()
      .max(100)
      .exactOptional()
      .describe('Id of an agent key: only its calls. Default: the calls of all keys that one may see'),
    days: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(MAX_PREVIEW_DAYS, `may be at most ${MAX_PREVIEW_DAYS}`)
      .default(MAX_PREVIEW_DAYS),
  })
  .register(components, { id: 'RulePreviewRequest' }) satisfies z.ZodType<Required<Pick<RulePreviewRequest, 'days'>> & RulePreviewRequest>;

export const ruleRoutes = [
  defineRoute({
    id: 'previewRules',
    summary: 'Count what rules would have done to the calls of the last days',
    method: 'POST',
    path: '/v1/rules/preview',
    access: 'person',
    body: rulePreviewRequest,
    answer: rulePreview,
    async handle({ principal, body: { rules, key, days } }, deps: AdminRouteDeps) {
      const keyId = key === undefined ? undefined : (await requireKey(principal, deps.keys, key)).id;
      const agentKeyIds = keyId === undefined ? (await visibleTo(principal, deps.keys))?.agentKeyIds : [keyId];
      return previewRules({ rules, agentKeyIds, days }, deps);
    },
  }),
] as const;
