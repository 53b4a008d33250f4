/** Rules about the shapes of results: programs read them to use a result without looking at one first. */
import { estimateTokens } from '#sdk/protocol/estimate-tokens';
import type { LintFinding } from '#sdk/protocol/lint';
import { toType } from '#sdk/protocol/to-type';
import type { ActionRule, LintedAction } from './action-rule';

const MOST_RESULT_TOKENS = 2_000;
/** Types that name no field and no value. */
const OPAQUE = /^(?:any|object)(?:\[\])*(?:\|null)?$/;
const EXAMPLES = 3;

export const opaqueResult: ActionRule = ({ resultSchema }) => {
  if (resultSchema === undefined || !OPAQUE.test(toType(resultSchema, { depth: 1 }))) return undefined;
  return {
    rule: 'result-opaque',
    severity: 'warning',
    message: 'The shape of the result names no field',
    hint: 'Write the fields that callers use, each with its type: {"type": "object", "properties": {"id": {"type": "integer"}}}',
  };
};

export const hugeResult: ActionRule = ({ resultSchema }) => {
  const tokens = resultSchema === undefined ? 0 : estimateTokens(JSON.stringify(resultSchema));
  if (tokens <= MOST_RESULT_TOKENS) return undefined;
  return {
    rule: 'result-huge',
    severity: 'warning',
    message: `The shape of the result has about ${tokens} tokens: models are shown a part of it`,
    hint: `Keep it below ${MOST_RESULT_TOKENS}: the fields that callers use, without long texts. Fields that it leaves out may still come`,
  };
};

/** One finding for the whole toolkit. Many good actions declare no result. */
export function undeclaredResults(actions: readonly LintedAction[]): LintFinding | undefined {
  const undeclared = actions.filter(({ resultSchema }) => resultSchema === undefined);
  if (undeclared.length === 0) return undefined;
  const examples = undeclared.slice(0, EXAMPLES).map(({ action }) => action);
  return {
    rule: 'result-undeclared',
    severity: 'info',
    message: `Actions without a shape of their result: ${undeclared.length} of ${actions.length}, such as ${examples.join(', ')}`,
    hint: 'Give them a resultDescription: programs and models then use the result without a call that only looks at it',
  };
}
