/** All rules on one toolkit. Pure, and the same for the same input. */
import type { ActionInfo } from '#sdk/protocol/http';
import type { LintFinding } from '#sdk/protocol/lint';
import { runAtOnce, type Steps } from '../../lib/steps';
import type { ActionRule, LintedAction } from './action-rule';
import { collisions } from './collisions';
import { instructsModel, inText } from './instructs-model';
import { lookAlikeNames, type NameOwners } from './look-alike-name';
import { mixedScripts } from './mixed-scripts';
import { reservedActionName, reservedToolkitName } from './reserved-name';
import { resultMisfit } from './result-misfit';
import { hugeResult, opaqueResult } from './result-shapes';
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
  actions: readonly LintedAction[];
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
  opaqueResult,
  hugeResult,
  resultMisfit,
];

/**
 * Findings that make the actions easier to find and safer to use: errors first, then the toolkit, then action by action.
 *
 * @param others actions of other toolkits that may be too much like these
 */
export function lintToolkit(toolkit: LintedToolkit, others: readonly ActionInfo[] = []): LintFinding[] {
  return inOrder(runAtOnce(findingsOf(toolkit, others)), toolkit);
}

/** `lintToolkit` for a toolkit of a catalogue, where others may have had its name first. One step for each action. */
export function* lintInCatalog(toolkit: LintedToolkit, others: readonly ActionInfo[], owners: NameOwners): Steps<LintFinding[]> {
  return inOrder([...lookAlikeNames(toolkit, owners), ...(yield* findingsOf(toolkit, others))], toolkit);
}

function* findingsOf(toolkit: LintedToolkit, others: readonly ActionInfo[]): Steps<LintFinding[]> {
  const { actions } = toolkit;
  const ofToolkit = [reservedToolkitName(toolkit), mixedScripts(toolkit), toolkitDescription(toolkit), inText(toolkit.description)];
  const findings: LintFinding[] = ofToolkit.filter((finding) => finding !== undefined);
  for (const action of actions) {
    for (const rule of ACTION_RULES) {
      const finding = rule(action);
      if (finding) findings.push({ ...finding, action: action.action });
    }
    yield;
  }
  return [...findings, ...(yield* collisions(actions, others))];
}

function inOrder(findings: LintFinding[], { actions }: LintedToolkit): LintFinding[] {
  const places = new Map(actions.map(({ action }, place) => [action, place]));
  const place = ({ action }: LintFinding) => (action === undefined ? -1 : (places.get(action) ?? 0));
  const isError = ({ severity }: LintFinding) => (severity === 'error' ? 1 : 0);
  // Sorting is stable: the rules stay in their order.
  return findings.sort((a, b) => isError(b) - isError(a) || place(a) - place(b));
}
