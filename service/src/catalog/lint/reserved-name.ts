/** Names of the service itself and of its tools: a model or a person would trust them more than a toolkit. */
import { ACTION_ID_SEPARATOR, parseActionId, RESERVED_TOOLKIT_ID } from '#sdk/protocol/ids';
import type { LintFinding } from '#sdk/protocol/lint';
import { skeletons } from '../names/skeletons';
import type { ActionRule } from './action-rule';

/** A name that has one of these and nothing but these and `fillers` is the service's. */
const serviceWords = skeletonsOf([RESERVED_TOOLKIT_ID, 'svc-sdk', 'system']);
const fillers = skeletonsOf(['sdk', 'tool', 'tools', 'service', 'services', 'official', 'core', 'internal', 'admin', 'the']);
const tools = skeletonsOf(['search_services', 'invoke_service']);

export function reservedToolkitName({ id, name }: { id: string; name: string }): LintFinding | undefined {
  const reserved = [name, id].find(isOfService);
  if (reserved === undefined) return undefined;
  return {
    rule: 'reserved-name',
    severity: 'error',
    message: `The name "${reserved}" looks like a name of the service itself`,
    hint: 'Update the toolkit with a name for what it works on, such as "Disk cleaner". An id cannot change: make a key for a toolkit with another id',
  };
}

export const reservedActionName: ActionRule = ({ action }) => {
  const { actionName } = parseActionId(action) ?? { actionName: action };
  const [before = '', inside] = actionName.split(ACTION_ID_SEPARATOR, 2);
  if (!isOneOf(tools, actionName) && (inside === undefined || !isOfService(before))) return undefined;
  return {
    rule: 'reserved-name',
    severity: 'error',
    message: `The name "${actionName}" looks like a tool of the service itself`,
    hint: 'Name what the action does and to what, such as "find_orders"',
  };
};

function isOfService(name: string): boolean {
  const words = name.split(/[\s_-]+/).filter((word) => word !== '');
  if (isOneOf(serviceWords, name)) return true;
  return words.some((word) => isOneOf(serviceWords, word)) && words.every((word) => isOneOf(serviceWords, word) || isOneOf(fillers, word));
}

function isOneOf(skeletonSet: () => ReadonlySet<string>, name: string): boolean {
  return skeletons(name).some((skeleton) => skeletonSet().has(skeleton));
}

/** Made at the first use: a start checks no name. */
function skeletonsOf(names: readonly string[]): () => ReadonlySet<string> {
  let set: ReadonlySet<string> | undefined;
  return () => {
    set ??= new Set(names.flatMap(skeletons));
    return set;
  };
}
