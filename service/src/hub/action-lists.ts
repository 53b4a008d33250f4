/**
 * Caches the named action lists that toolkits registered, and collects the parts of a list that arrive on a connection.
 *
 * Shape:  toolkit id -> name of the list -> its actions. The newest lists are kept, enough for replicas of two versions during a rollout.
 * Errors: LIST_NOT_FOUND for an unknown list whose parts are not complete.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { ActionListName } from '#sdk/protocol/frames';
import type { ReadActions } from '../catalog/read-actions';
import type { ToolkitConnection } from './toolkit-connection';

const MAX_LISTS = 3;

export class ActionLists {
  readonly #known = new Map<string, Map<string, ReadActions>>();
  readonly #parts = new WeakMap<ToolkitConnection, ReadActions>();

  /** The parts that arrived on this connection since its last list. */
  partsOf(connection: ToolkitConnection): ReadActions | undefined {
    return this.#parts.get(connection);
  }

  setParts(connection: ToolkitConnection, parts: ReadActions): void {
    this.#parts.set(connection, parts);
  }

  /** Returns the named list and deletes the parts of the connection. */
  take(connection: ToolkitConnection, { id, size, base, remove = [] }: ActionListName): ReadActions {
    const parts = this.#parts.get(connection);
    this.#parts.delete(connection);
    const known = this.#known.get(connection.toolkitId);
    const list =
      known?.get(id) ?? joined(base === undefined ? undefined : known?.get(base), { parts, remove, isWhole: base === undefined });
    if (list && list.actions.size + list.rejected.length === size) return list;
    const message = `The service does not have all actions of the list "${id}": send them in "actions" requests, then register again`;
    throw new SvcError('LIST_NOT_FOUND', message);
  }

  /** Caches a list after its registration. */
  keep(toolkitId: string, id: string, list: ReadActions): void {
    const known = this.#known.get(toolkitId) ?? new Map<string, ReadActions>();
    this.#known.set(toolkitId, known);
    known.delete(id);
    known.set(id, list);
    const [oldest] = known.keys();
    if (known.size > MAX_LISTS && oldest !== undefined) known.delete(oldest);
  }
}

function joined(
  base: ReadActions | undefined,
  { parts, remove, isWhole }: { parts: ReadActions | undefined; remove: readonly string[]; isWhole: boolean },
): ReadActions | undefined {
  if (isWhole) return parts;
  if (!base) return undefined;
  const { actions = new Map(), rejected = [], dropped = new Map() } = parts ?? {};
  const replaced = new Set([...remove, ...actions.keys(), ...rejected.map(({ action }) => action)]);
  return {
    actions: new Map([...[...base.actions].filter(([name]) => !replaced.has(name)), ...actions]),
    rejected: [...base.rejected.filter(({ action }) => !replaced.has(action)), ...rejected],
    dropped: new Map([...[...base.dropped].filter(([name]) => !replaced.has(name)), ...dropped]),
  };
}
