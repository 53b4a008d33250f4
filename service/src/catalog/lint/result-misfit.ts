import type { ActionRule } from './action-rule';

const MAX_PLACES = 5;

/** Results that the service checked did not fit the declared result. */
export const resultMisfit: ActionRule = ({ resultMisfits = [] }) => {
  if (resultMisfits.length === 0) return undefined;
  const shown = resultMisfits.slice(0, MAX_PLACES).map(({ path, results }) => `${path === '' ? 'the whole' : path} (${results}×)`);
  const more = resultMisfits.length - shown.length;
  return {
    rule: 'result-misfit',
    severity: 'warning',
    message: `results did not fit the declared result at ${shown.join(', ')}${more > 0 ? ` and ${more} more places` : ''}`,
    hint: 'Correct `resultDescription`, or what the handler returns; MCP clients get no output schema until then',
  };
};
