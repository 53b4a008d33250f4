/**
 * The actions of a registration: what a toolkit sent -> records of the catalogue, and why it rejects the others.
 *
 * Shape: action name -> record. Read in steps of one action, each within the event-loop budget.
 */
import { SvcError } from '../../protocol/errors';
import type { RejectedAction } from '../../protocol/frames';
import { actionNameProblem } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import { actionRegistration } from '../../protocol/schemas';
import type { EventLoopBudget } from '../lib/event-loop-budget';
import { parseOrThrow } from '../lib/parse';
import { cleanText } from '../payload/clean-text';
import { toPayloadSchema } from '../payload/payload-schema';
import type { ActionRecord } from '../store/store';

export type ActionLimits = Pick<Limits, 'descriptionChars' | 'payloadDescriptionBytes' | 'payloadDescriptionDepth'>;

export interface ReadActions {
  actions: Map<string, ActionRecord>;
  rejected: RejectedAction[];
}

export async function readActions(
  toolkitId: string,
  registrations: readonly unknown[],
  { limits, budget }: { limits: ActionLimits; budget: EventLoopBudget },
): Promise<ReadActions> {
  const actions = new Map<string, ActionRecord>();
  const rejected: RejectedAction[] = [];
  for (const registration of registrations) {
    if (budget.isUsedUp) await budget.enter();
    try {
      const action = readAction(toolkitId, registration, limits);
      if (actions.has(action.name))
        throw new SvcError('INVALID_ACTION', `Action "${action.name}" is registered twice; names are unique within a toolkit`);
      actions.set(action.name, action);
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      rejected.push({ action: nameOf(registration), message: error.message });
    }
  }
  return { actions, rejected };
}

function readAction(toolkitId: string, registration: unknown, limits: ActionLimits): ActionRecord {
  const problem = actionNameProblem((registration as { action?: unknown }).action, toolkitId);
  if (problem) throw new SvcError('INVALID_ACTION', problem);
  const {
    action: name,
    actionDescription,
    payloadDescription,
    annotations = {},
  } = parseOrThrow(actionRegistration, registration, 'action');
  const what = `description of action "${name}"`;
  const description = cleanText(actionDescription, { what, maxChars: limits.descriptionChars, code: 'INVALID_ACTION' });
  if (description === '')
    throw new SvcError('INVALID_ACTION', `Action "${name}" has no description; say what it does in plain words, models choose by it`);
  return { toolkitId, name, description, payloadSchema: toPayloadSchema(payloadDescription, limits), annotations };
}

function nameOf(registration: unknown): string {
  const name = (registration as { action?: unknown }).action;
  return typeof name === 'object' ? 'an object' : String(name).slice(0, 100);
}
