/** All rules on one toolkit. Pure, and the same for the same input. */
import type { ActionInfo } from '../../../protocol/http';
import type { LintFinding } from '../../../protocol/lint';
import type { ActionRule } from './action-rule';
import { collisions } from './collisions';
import { instructsModel, inText } from './instructs-model';
import { lookAlikeNames, type NameOwners } from './look-alike-name';
import { mixedScripts } from './mixed-scripts';
import { reservedActionName, reservedToolkitName } from './reserved-name';
import { largePayload, longDescription } from './too-long';
import { toolkitDescription } from './toolkit-description';
import { undeclaredDestructive } from './undeclared-destructive';
import { undescribedParameters } from './undescribed-parameters';
import { vagueDescription } from './vague-description';
import { vagueName } from './vague-name';

export interface LintedToolkit {
  id: string;
  name: string;
  description: string;
  actions: readonly ActionInfo[];
}

const ACTION_RULES: readonly ActionRule[] = [
  instructsModel,
  reservedActionName,
  vagueName,
  vagueDescription,
  undescribedParameters,
  undeclaredDestructive,
  longDescription,
  largePayload,
];

/**
 * Findings that make the actions easier to find and safer to use: errors first, then the toolkit, then action by action.
 *
 * @param others actions of other toolkits that may be too much like these
 */
export function lintToolkit(toolkit: LintedToolkit, others: readonly ActionInfo[] = []): LintFinding[] {
  return inOrder(findingsOf(toolkit, others), toolkit);
}

/** `lintToolkit` for a toolkit of a catalogue, where others may have had its name first. */
export function lintInCatalog(toolkit: LintedToolkit, others: readonly ActionInfo[], owners: NameOwners): LintFinding[] {
  return inOrder([...lookAlikeNames(toolkit, owners), ...findingsOf(toolkit, others)], toolkit);
}

function findingsOf(toolkit: LintedToolkit, others: readonly ActionInfo[]): LintFinding[] {
  const { actions } = toolkit;
  const ofActions = actions.flatMap((action) =>
    ACTION_RULES.flatMap((rule) => {
      const finding = rule(action);
      return finding ? [{ ...finding, action: action.action }] : [];
    }),
  );
  const ofToolkit = [reservedToolkitName(toolkit), mixedScripts(toolkit), toolkitDescription(toolkit), inText(toolkit.description)];
  return [...ofToolkit.filter((finding) => finding !== undefined), ...ofActions, ...collisions(actions, others)];
}

function inOrder(findings: LintFinding[], { actions }: LintedToolkit): LintFinding[] {
  const places = new Map(actions.map(({ action }, place) => [action, place]));
  const place = ({ action }: LintFinding) => (action === undefined ? -1 : (places.get(action) ?? 0));
  const isError = ({ severity }: LintFinding) => (severity === 'error' ? 1 : 0);
  // Sorting is stable: the rules stay in their order.
  return findings.sort((a, b) => isError(b) - isError(a) || place(a) - place(b));
}
