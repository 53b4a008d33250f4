/**
 * Pins of an imported toolkit: the text, the schema, the annotations and the request of every action that its operator approved. An action that
 * differs is held.
 *
 * Shape:  SHA-256 of RFC 8785 JSON, as lower-case hex. The texts are stored beside it, for a diff and for a start without the source.
 * Source: CVE-2025-54136, where a server changed its tools after the approval. A renamed tool passes hashes of single tools, so the set is pinned.
 */
import { createHash } from 'node:crypto';
import type { ToolkitDetails } from 'svc-sdk';
import { writeCanonicalJson } from '#sdk/tools/json';
import type { ImportedAction } from './imported-action';

/** The part that models read, that determines a call's effect, and that MCP clients show. An approval covers this part. */
export type ActionText = Pick<
  ImportedAction,
  'actionDescription' | 'payloadDescription' | 'annotations' | 'title' | 'resultDescription' | 'meta' | 'icons' | 'long'
>;

/** An action, with its original name at the source if that differs. */
export type NamedAction = ImportedAction & RequestOfAction & { original?: string };

interface RequestOfAction {
  /**
   * The address of a call and the places of its values, such as `GET https://api.example.com/pets`. Undefined for a tool of an MCP server, and in
   * pins of version 0.13 and earlier.
   */
  request?: readonly string[] | undefined;
}

/** The approved part of an action. */
type PinnedText = ActionText & RequestOfAction;

interface PinnedAction extends PinnedText {
  /** Its original name at the source, if that differs. */
  original?: string;
  sha256: string;
}

export interface ToolkitPins {
  /** Name and description of the toolkit, which agents read too. */
  toolkit: ToolkitDetails;
  /** Name of an action -> its pin. */
  actions: Record<string, PinnedAction>;
}

export type PinChange =
  | { kind: 'new'; action: string; now: PinnedText }
  | { kind: 'changed'; action: string; before: PinnedText; now: PinnedText }
  /** The same action under another original name. */
  | { kind: 'renamed'; action: string; before: string; now: PinnedText }
  | { kind: 'gone'; action: string; before: PinnedText }
  | { kind: 'toolkit'; before: ToolkitDetails; now: ToolkitDetails };

export interface ImportedToolkit {
  toolkit: ToolkitDetails;
  actions: readonly NamedAction[];
}

/** The hash does not include the name of the action. */
export function fingerprint(action: PinnedText): string {
  return createHash('sha256')
    .update(writeCanonicalJson(textOf(action)))
    .digest('hex');
}

/** Approves all actions. */
export function pinsOf({ toolkit, actions }: ImportedToolkit): ToolkitPins {
  return { toolkit, actions: Object.fromEntries(actions.map((action) => [action.action, pinOf(action)])) };
}

/** Original name -> the fixed name of the pinned action. */
export function pinnedNames({ actions }: ToolkitPins): ReadonlyMap<string, string> {
  return new Map(Object.entries(actions).map(([name, { original = name }]) => [original, name]));
}

/** The usable actions, and all held or removed ones. */
export function comparePins({ toolkit, actions }: ImportedToolkit, pins: ToolkitPins): { served: NamedAction[]; changes: PinChange[] } {
  const served = actions.flatMap((action) => approvedForm(action, pins) ?? []);
  const names = new Set<string>(actions.map(({ action }) => action));
  const gone = Object.entries(pins.actions).filter(([name]) => !names.has(name));
  const held = actions.filter((action) => !isPinned(action, pins)).map((action) => heldChange(action, pins, gone));
  const renamed = new Set(held.flatMap((change) => (change.kind === 'renamed' ? [change.before] : [])));
  const changes: PinChange[] = [
    ...held,
    ...gone.filter(([name]) => !renamed.has(name)).map(([action, before]) => ({ kind: 'gone' as const, action, before: textOf(before) })),
    ...(sameJson(toolkit, pins.toolkit) ? [] : [{ kind: 'toolkit' as const, before: pins.toolkit, now: toolkit }]),
  ];
  return { served, changes };
}

/**
 * The pins with the current requests, where a pin lacks one and the rest of its action is as approved. Undefined: no pin lacks one.
 *
 * The version that made such pins served these actions already, with these requests.
 */
export function completePins({ actions }: ImportedToolkit, pins: ToolkitPins): ToolkitPins | undefined {
  const lacking = actions.filter((action) => action.request && isPinned(action, pins) && !findPin(action, pins)?.request);
  if (lacking.length === 0) return undefined;
  return { ...pins, actions: { ...pins.actions, ...Object.fromEntries(lacking.map((action) => [action.action, pinOf(action)])) } };
}

/** Version 0.13 read no titles, shapes of results, `_meta`, icons and long tools. Its pins approve the rest of an action, which is served without them. */
export function withoutShape<Text extends ActionText>(text: Text) {
  const { title: _, resultDescription: _shape, meta: _meta, icons: _icons, long: _long, ...rest } = text;
  return rest;
}

/** The action as it was approved; undefined if it was not. */
function approvedForm(action: NamedAction, pins: ToolkitPins): NamedAction | undefined {
  if (isPinned(action, pins)) return action;
  const former = withoutShape(action);
  return isPinned(former, pins) ? former : undefined;
}

function pinOf({ action, original = action, ...text }: NamedAction): PinnedAction {
  return { ...(original !== action && { original }), sha256: fingerprint(text), ...textOf(text) };
}

function isPinned(action: NamedAction, pins: ToolkitPins): boolean {
  const pin = findPin(action, pins);
  const original = action.original === action.action ? undefined : action.original;
  return pin !== undefined && pin.original === original && isSameText(pin, action);
}

/** A pin without a request matches any. */
function isSameText(pin: PinnedAction, { request, ...text }: PinnedText): boolean {
  return pin.sha256 === fingerprint(pin.request ? { ...text, request } : text);
}

function findPin({ action }: NamedAction, { actions }: ToolkitPins): PinnedAction | undefined {
  return Object.hasOwn(actions, action) ? actions[action] : undefined;
}

function heldChange(held: NamedAction, pins: ToolkitPins, gone: [string, PinnedAction][]): PinChange {
  const { action } = held;
  const now = textOf(held);
  const pin = findPin(held, pins);
  if (pin) return { kind: 'changed', action, before: textOf(pin), now };
  const former = gone.find(([, each]) => isSameText(each, now));
  return former ? { kind: 'renamed', action, before: former[0], now } : { kind: 'new', action, now };
}

function textOf({
  actionDescription,
  payloadDescription,
  annotations,
  title,
  resultDescription,
  meta,
  icons,
  long,
  request,
}: PinnedText): PinnedText {
  return {
    actionDescription,
    payloadDescription,
    annotations,
    ...(title !== undefined && { title }),
    ...(resultDescription && { resultDescription }),
    ...(meta && { meta }),
    ...(icons && { icons }),
    ...(long && { long }),
    ...(request && { request }),
  };
}

function sameJson(one: unknown, other: unknown): boolean {
  return writeCanonicalJson(one) === writeCanonicalJson(other);
}
