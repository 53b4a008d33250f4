/** The shapes of results that fit into the texts of one toolkit. A document of many operations is served without its largest shapes. */
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { NamedAction } from './pins';

/** The service also counts the toolkit's own texts. */
const MAX_BYTES = DEFAULT_LIMITS.toolkitTextBytes * 0.95;

/** The same actions; above the limit of the service, without the largest shapes. */
export function withFittingShapes(actions: readonly NamedAction[]): NamedAction[] {
  let bytes = actions.reduce((sum, action) => sum + bytesOf(action), 0);
  const sizes = new Map(actions.map((action) => [action, sizeOf(action.resultDescription)]));
  const without = new Set<NamedAction>();
  for (const [action, size] of [...sizes].sort(([, one], [, other]) => other - one)) {
    if (bytes <= MAX_BYTES || size === 0) break;
    without.add(action);
    bytes -= size;
  }
  return actions.map((action) => (without.has(action) ? { ...action, resultDescription: undefined } : action));
}

function bytesOf({ action, actionDescription, payloadDescription, annotations, title, resultDescription, meta, icons, auth }: NamedAction) {
  return sizeOf([action, actionDescription, payloadDescription, annotations, title, resultDescription, meta, icons, auth]);
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
