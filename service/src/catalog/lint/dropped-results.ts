import { formatActionId } from '#sdk/protocol/ids';
import type { LintFinding } from '#sdk/protocol/lint';

/** @param dropped action name -> the fault of its result's shape, which the catalogue left out */
export function droppedResults(toolkitId: string, dropped: ReadonlyMap<string, string>): LintFinding[] {
  return [...dropped].map(([name, fault]) => ({
    rule: 'result-dropped',
    severity: 'warning',
    action: formatActionId(toolkitId, name),
    message: `The action is served without the shape of its result: ${fault}`,
    hint: 'Write a JSON Schema, the short form {"name": {…}} or a text, and register the toolkit again',
  }));
}
