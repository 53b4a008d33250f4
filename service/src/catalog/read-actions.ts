/**
 * The actions of a registration: what a toolkit sent -> records of the catalogue, and why it rejects the others.
 *
 * Shape: action name -> record. Read in steps of one action, each within the event-loop budget.
 */
import { MAX_META_BYTES } from '#sdk/protocol/action-meta';
import { priceProblem, toAmount, toMillionths } from '#sdk/protocol/amount';
import { SvcError } from '#sdk/protocol/errors';
import type { RejectedAction } from '#sdk/protocol/frames';
import type { JsonSchema, Payment } from '#sdk/protocol/http';
import { actionNameProblem } from '#sdk/protocol/ids';
import type { Limits } from '#sdk/protocol/limits';
import { actionRegistration } from '#sdk/protocol/schemas';
import type { EventLoopBudget } from '../lib/event-loop-budget';
import { parseOrThrow } from '../lib/parse';
import { cleanText } from '../payload/clean-text';
import { DescriptionFault } from '../payload/description-fault';
import { toPayloadSchema } from '../payload/payload-schema';
import { toResultSchema } from '../payload/result-schema';
import type { ActionRecord } from '../store/store';
import { isSameAction } from './same-action';

const MAX_TITLE_CHARS = 200;

type ActionLimits = Pick<Limits, 'descriptionChars' | 'payloadDescriptionBytes' | 'payloadDescriptionDepth'>;

export interface ReadActionsOptions {
  limits: ActionLimits;
  budget: EventLoopBudget;
  /** The currency of every price. */
  currency: string;
  /** Those of the earlier parts of the list. */
  before?: ReadActions | undefined;
  /** The toolkit's action of that name. When it is the same, it is the record: several lists then share it. */
  known: (name: string) => ActionRecord | undefined;
}

export interface ReadActions {
  actions: ReadonlyMap<string, ActionRecord>;
  rejected: readonly RejectedAction[];
  /** Action name -> the fault of its result's shape, which is left out. */
  dropped: ReadonlyMap<string, string>;
}

export async function readActions(
  toolkitId: string,
  registrations: readonly unknown[],
  { limits, budget, currency, before, known }: ReadActionsOptions,
): Promise<ReadActions> {
  const actions = new Map(before?.actions);
  const rejected = [...(before?.rejected ?? [])];
  const dropped = new Map(before?.dropped);
  for (const registration of registrations) {
    if (budget.isUsedUp) await budget.enter();
    try {
      const { action, fault } = readAction(toolkitId, registration, { limits, currency });
      if (actions.has(action.name))
        throw new SvcError('INVALID_ACTION', `Action "${action.name}" is registered twice; names are unique within a toolkit`);
      const former = known(action.name);
      actions.set(action.name, former && isSameAction(action, former) ? former : action);
      if (fault !== undefined) dropped.set(action.name, fault);
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      rejected.push({ action: nameOf(registration), message: error.message });
    }
  }
  return { actions, rejected, dropped };
}

function readAction(
  toolkitId: string,
  registration: unknown,
  { limits, currency }: Pick<ReadActionsOptions, 'limits' | 'currency'>,
): { action: ActionRecord; fault: string | undefined } {
  const problem = actionNameProblem((registration as { action?: unknown }).action, toolkitId);
  if (problem) throw new SvcError('INVALID_ACTION', problem);
  const {
    action: name,
    actionDescription,
    payloadDescription,
    title,
    resultDescription,
    meta,
    icons,
    annotations = {},
    auth,
    payment,
    long,
  } = parseOrThrow(actionRegistration, registration, 'action');
  const what = `description of action "${name}"`;
  const description = cleanText(actionDescription, { what, maxChars: limits.descriptionChars, code: 'INVALID_ACTION' });
  if (description === '')
    throw new SvcError('INVALID_ACTION', `Action "${name}" has no description; say what it does in plain words, models choose by it`);
  const action: ActionRecord = { toolkitId, name, description, payloadSchema: toPayloadSchema(payloadDescription, limits), annotations };
  const shownTitle = cleanText(title ?? '', { what: `title of action "${name}"`, maxChars: MAX_TITLE_CHARS, code: 'INVALID_ACTION' });
  if (shownTitle !== '') action.title = shownTitle;
  const { resultSchema, fault } = readResult(resultDescription, limits);
  if (resultSchema) action.resultSchema = resultSchema;
  if (meta) action.meta = requireSmall(name, 'meta', meta);
  if (icons) action.icons = requireSmall(name, 'icons', icons);
  if (auth !== undefined) action.auth = auth;
  if (long) action.long = true;
  const price = payment === undefined ? undefined : readPrice(name, payment, currency);
  return { action: price ? { ...action, payment: price } : action, fault };
}

/** A result's shape helps a model to plan. The action works without it, so a fault in it costs the shape alone. */
function readResult(resultDescription: unknown, limits: ActionLimits): { resultSchema?: JsonSchema | undefined; fault?: string } {
  try {
    return { resultSchema: toResultSchema(resultDescription, limits) };
  } catch (error) {
    if (!(error instanceof DescriptionFault)) throw error;
    return { fault: `resultDescription${error.message}` };
  }
}

/** Hands on to MCP clients what no model reads, in a bounded size. */
function requireSmall<Value extends object>(action: string, member: string, value: Value): Value {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= MAX_META_BYTES) return value;
  throw new SvcError('INVALID_ACTION', `${member} of action "${action}" has ${bytes} bytes as JSON; at most ${MAX_META_BYTES} are allowed`);
}

/** Undefined for a price of 0: the action is free. */
function readPrice(name: string, payment: unknown, currency: string): Payment | undefined {
  const problem = priceProblem(name, payment);
  if (problem) throw new SvcError('INVALID_ACTION', problem);
  const { amount, currency: said = currency } = payment as Partial<Payment>;
  if (said !== currency) {
    const message = `payment.currency of action "${name}" must be "${currency}", the currency of this service, or left out`;
    throw new SvcError('INVALID_ACTION', `${message}; write the amount in ${currency}`);
  }
  const millionths = toMillionths(amount);
  return millionths ? { amount: toAmount(millionths), currency } : undefined;
}

function nameOf(registration: unknown): string {
  const name = (registration as { action?: unknown }).action;
  return typeof name === 'object' ? 'an object' : String(name).slice(0, 100);
}
