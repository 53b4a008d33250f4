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
import { bareShape } from '../src/lib/bare-shape';
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
  /** The shape of the result came after the approval, and its texts are not approved: the pin is of its bare shape. */
  bareShape?: true;
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

/**
 * The usable actions, as they may be used, and all held or removed ones.
 *
 * @param options.withTexts also reports actions whose shapes have texts that are not approved, and that are used without them
 */
export function comparePins(
  { toolkit, actions }: ImportedToolkit,
  pins: ToolkitPins,
  { withTexts = false } = {},
): { served: NamedAction[]; changes: PinChange[] } {
  const served = actions.flatMap((action) => approvedForm(action, pins) ?? formerForm(action, pins) ?? []);
  const names = new Set<string>(actions.map(({ action }) => action));
  const gone = Object.entries(pins.actions).filter(([name]) => !names.has(name));
  const isApproved = (action: NamedAction) => (withTexts ? isPinned(action, pins) : approvedForm(action, pins) !== undefined);
  const held = actions.filter((action) => !isApproved(action)).map((action) => heldChange(action, pins, gone));
  const renamed = new Set(held.flatMap((change) => (change.kind === 'renamed' ? [change.before] : [])));
  const changes: PinChange[] = [
    ...held,
    ...gone.filter(([name]) => !renamed.has(name)).map(([action, before]) => ({ kind: 'gone' as const, action, before: textOf(before) })),
    ...(sameJson(toolkit, pins.toolkit) ? [] : [{ kind: 'toolkit' as const, before: pins.toolkit, now: toolkit }]),
  ];
  return { served, changes };
}

/** The pins that approve the changes which `comparePins` reports, and nothing else: texts of other shapes are not in them. */
export function pinsWithChanges({ toolkit, actions }: ImportedToolkit, pins: ToolkitPins): ToolkitPins {
  const pinned = actions.map((action) => [action.action, pinOfForm(approvedForm(action, pins) ?? action, action)] as const);
  return { toolkit, actions: Object.fromEntries(pinned) };
}

/**
 * The pins with the current requests and the bare shapes of the results, where a pin lacks one and the rest of its action is as approved. Undefined:
 * no pin lacks one.
 *
 * Versions up to 0.14 made such pins. They served these actions already, with these requests.
 */
export function completePins({ actions }: ImportedToolkit, pins: ToolkitPins): ToolkitPins | undefined {
  const completed = actions.flatMap((action) => {
    const pin = findPin(action, pins);
    const approved = pin && approvedForm(action, pins);
    const isLacking = approved && ((approved.request && !pin.request) || (approved.resultDescription && !pin.resultDescription));
    return isLacking ? [[action.action, pinOfForm(approved, action)] as const] : [];
  });
  return completed.length === 0 ? undefined : { ...pins, actions: { ...pins.actions, ...Object.fromEntries(completed) } };
}

/** Version 0.13 read no titles, shapes of results, `_meta`, icons and long tools. Its pins approve the rest of an action, which is served without them. */
function withoutShape<Text extends ActionText>(text: Text) {
  const { title: _, resultDescription: _shape, meta: _meta, icons: _icons, long: _long, ...rest } = text;
  return rest;
}

/** Fingerprints of the pins that approve a call of the action, of any version: `pinApproval` makes that of a pin. */
export function pinApprovals(text: ActionText): string[] {
  const former = withoutResult(text);
  const whole = [text, former, withoutShape(text)].map(fingerprint);
  return [...whole, pinApproval({ sha256: fingerprint(withBareShape(text)), bareShape: true })];
}

/** A whole shape must not have the approval of a bare one. */
export function pinApproval({ sha256, bareShape: isBare }: Pick<PinnedAction, 'sha256' | 'bareShape'>): string {
  return isBare ? `bare ${sha256}` : sha256;
}

function withoutResult<Text extends ActionText>({ resultDescription: _, ...text }: Text) {
  return text;
}

function withBareShape<Text extends ActionText>(text: Text): Text {
  return text.resultDescription ? { ...text, resultDescription: bareShape(text.resultDescription) } : text;
}

/** The action as it may be used; undefined if it was not approved. A shape that came after the approval has no texts. */
function approvedForm(action: NamedAction, pins: ToolkitPins): NamedAction | undefined {
  if (isPinned(action, pins)) return action;
  const bare = withBareShape(action);
  const isBare = findPin(action, pins)?.bareShape === true && isPinned(bare, pins);
  return isBare || isPinned(withoutResult(action), pins) ? bare : undefined;
}

function pinOfForm(form: NamedAction, whole: NamedAction): PinnedAction {
  return { ...pinOf(form), ...(!sameJson(form.resultDescription ?? null, whole.resultDescription ?? null) && { bareShape: true }) };
}

/** The action as version 0.13 approved it. */
function formerForm(action: NamedAction, pins: ToolkitPins): NamedAction | undefined {
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
