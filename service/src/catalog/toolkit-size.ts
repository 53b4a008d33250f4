/**
 * The limits of a toolkit as a whole, over all its processes: the number of its actions and the bytes of its texts.
 *
 * Units:  bytes of the names, descriptions and payload schemas as JSON.
 * Errors: INVALID_ACTION; the message names the largest actions.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Limits } from '#sdk/protocol/limits';
import type { EventLoopBudget } from '../lib/event-loop-budget';
import type { ActionRecord, ToolkitRecord } from '../store/store';

const MAX_NAMED = 3;

/** A record does not change, and each registration of its toolkit reads it again. */
const knownBytes = new WeakMap<ActionRecord, number>();

/** The first check, before the actions are read. */
export function requireFewActions(count: number, { actionsPerToolkit }: Pick<Limits, 'actionsPerToolkit'>): void {
  if (count > actionsPerToolkit) throw new SvcError('INVALID_ACTION', tooMany(count, 0, actionsPerToolkit));
}

/**
 * @param own the actions of the registration
 * @param others actions that only other processes of the toolkit offer
 */
export async function requireToolkitFits(
  toolkit: ToolkitRecord,
  { own, others }: { own: readonly ActionRecord[]; others: readonly ActionRecord[] },
  { limits, budget }: { limits: Pick<Limits, 'actionsPerToolkit' | 'toolkitTextBytes'>; budget: EventLoopBudget },
): Promise<void> {
  const { actionsPerToolkit, toolkitTextBytes } = limits;
  const count = own.length + others.length;
  if (count > actionsPerToolkit) throw new SvcError('INVALID_ACTION', tooMany(own.length, others.length, actionsPerToolkit));
  const actions = [...own, ...others];
  let bytes = Buffer.byteLength(JSON.stringify([toolkit.name, toolkit.description]));
  for (const action of actions) {
    if (budget.isUsedUp) await budget.enter();
    bytes += textBytes(action);
  }
  if (bytes <= toolkitTextBytes) return;
  const largest = actions.sort((a, b) => textBytes(b) - textBytes(a)).slice(0, MAX_NAMED);
  const named = largest.map((action) => `"${action.name}" (${textBytes(action)})`).join(', ');
  const elsewhere = others.length > 0 ? ` with the ${others.length} actions that other processes of it offer` : '';
  throw new SvcError(
    'INVALID_ACTION',
    `The texts of toolkit "${toolkit.id}" have ${bytes} bytes as JSON${elsewhere}; at most ${toolkitTextBytes} are allowed (toolkitTextBytes). ` +
      `Shorten descriptions and payload descriptions, or split the toolkit. The largest actions: ${named}`,
  );
}

function tooMany(own: number, others: number, limit: number): string {
  const count = others > 0 ? `${own} actions and the ${others} that other processes of this toolkit offer` : `${own} actions`;
  return `${count} are more than the ${limit} that one toolkit may have; split it, or raise the limit actionsPerToolkit`;
}

function textBytes(action: ActionRecord): number {
  let bytes = knownBytes.get(action);
  if (bytes === undefined) {
    const { name, description, payloadSchema, annotations, title, resultSchema, meta, icons, auth } = action;
    bytes = Buffer.byteLength(JSON.stringify([name, description, payloadSchema, annotations, title, resultSchema, meta, icons, auth]));
    knownBytes.set(action, bytes);
  }
  return bytes;
}
