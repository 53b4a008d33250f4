/** Differences between a source and its approved pins, as the console and the terminal show them. */
import { createHash } from 'node:crypto';
import type { HeldChanges } from '#sdk/protocol/imports';
import { writeCanonicalJson } from '#sdk/tools/json';
import { pinChangesText } from './pin-changes-text';
import { comparePins, type ImportedToolkit, type PinChange, type ToolkitPins } from './pins';

interface HeldOptions {
  /** Also texts of shapes that are not approved, and that are not served. Default: false. */
  withTexts?: boolean;
}

/** @param source `leftOut`: names of its actions that the entry's filters leave out */
function sourceChanges(
  source: ImportedToolkit & { leftOut?: readonly string[] },
  pins: ToolkitPins,
  options: HeldOptions | undefined,
): PinChange[] {
  const leftOut = new Set(source.leftOut);
  return comparePins(source, pins, options).changes.filter(
    ({ kind, ...change }) => kind !== 'gone' || !('action' in change && leftOut.has(change.action)),
  );
}

/** Undefined if nothing differs. */
export function heldChanges(
  source: ImportedToolkit & { leftOut?: readonly string[] },
  pins: ToolkitPins = { toolkit: {}, actions: {} },
  options?: HeldOptions,
): HeldChanges | undefined {
  const changes = sourceChanges(source, pins, options);
  return changes.length === 0 ? undefined : describeChanges(changes);
}

export function describeChanges(changes: readonly PinChange[]): HeldChanges {
  return {
    changes: changes.map((change) => ({ kind: change.kind, ...(change.kind !== 'toolkit' && { action: change.action }) })),
    diff: pinChangesText(changes),
    sha256: createHash('sha256').update(writeCanonicalJson(changes)).digest('hex'),
  };
}
