import type { ActionReport } from '#sdk/protocol/admin';
import type { Catalog } from '../../catalog/catalog';
import { toTime } from '../../lib/to-time';

/** Why agents cannot use an action of the catalogue. Empty where they can. */
export function heldOf(id: string, catalog: Catalog): Pick<ActionReport, 'held' | 'rejection'> {
  const held = catalog.action(id)?.held;
  if (held === undefined) return {};
  const rejection = catalog.rejectionOf(id);
  return { held, ...(rejection && { rejection: { reason: rejection.reason, at: toTime(rejection.rejectedAt) } }) };
}
