/**
 * Decides which actions wait for an owner's approval.
 *
 * Shape: toolkit id -> action name -> the hashes of the approved texts; `reviewHash` makes them.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { JsonSchema } from '#sdk/protocol/http';
import { formatActionId } from '#sdk/protocol/ids';
import type { LintFinding } from '#sdk/protocol/lint';
import { bareShape } from '../../lib/bare-shape';
import type { EventLoopBudget } from '../../lib/event-loop-budget';
import type { ActionRecord, ApprovalRecord, RejectionRecord, ToolkitRecord } from '../../store/store';
import { ToolkitFindings } from '../toolkit-findings';
import type { ReviewPolicy } from './review-policy';
import { reviewHash, reviewText } from './review-text';

/** `new`: nothing was ever approved; `changed`: other texts were; `error`: the linter found an error; `rejected`: an owner rejected the texts. */
type HoldReason = 'new' | 'changed' | 'error' | 'rejected';

/** An action of the catalogue. */
export interface ListedAction extends ActionRecord {
  /** Why the action waits for approval. Agents cannot find or use it. */
  held?: HoldReason | undefined;
  /** The action was approved before it had the shape of a result. Agents see the shape without its texts: `shownResult`. */
  hasNewShape?: boolean;
}

interface ApprovedTexts {
  hashes: Set<string>;
  /** One of the texts has the shape of a result: another shape is held from then on. */
  hasShape: boolean;
}

type Decision = HoldReason | 'if error' | 'new shape' | undefined;

/** Action id -> hash of its new texts. */
type TextHashes = Readonly<Record<string, string>>;

/** Records new texts of a toolkit's actions. A change whose record fails is not made. */
export type RecordTexts = (toolkitId: string, keyId: string, hashes: TextHashes) => Promise<void>;

export class ActionReviews {
  /** The linter's part: its errors hold actions too. */
  readonly findings = new ToolkitFindings();
  readonly #policy: ReviewPolicy;
  readonly #recordTexts: RecordTexts;
  readonly #approved = new Map<string, Map<string, ApprovedTexts>>();
  /** Toolkit id -> `<action name> <hash>` -> the rejection. */
  readonly #rejected = new Map<string, Map<string, RejectionRecord>>();

  constructor(policy: ReviewPolicy, recordTexts: RecordTexts) {
    this.#policy = policy;
    this.#recordTexts = recordTexts;
  }

  /** Whether actions can be held at all. */
  get isOn(): boolean {
    return this.#policy.newActions === 'review' || this.#policy.changedActions === 'review';
  }

  async record(toolkit: ToolkitRecord, actions: readonly ActionRecord[], { keyId, budget }: { keyId: string; budget: EventLoopBudget }) {
    const hashes: [string, string][] = [];
    for (const action of actions) {
      if (budget.isUsedUp) await budget.enter();
      hashes.push([idOf(action), reviewHash(reviewText(toolkit, action))]);
    }
    if (hashes.length > 0) await this.#recordTexts(toolkit.id, keyId, Object.fromEntries(hashes));
  }

  /** Replaces the approvals of these toolkits, or all. */
  load(toolkitIds: readonly string[] | undefined, approvals: readonly ApprovalRecord[]): void {
    if (!toolkitIds) this.#approved.clear();
    for (const id of toolkitIds ?? []) this.#approved.delete(id);
    this.add(approvals);
  }

  add(approvals: readonly ApprovalRecord[]): void {
    for (const { toolkitId, name, hash, hasShape } of approvals) {
      const ofToolkit = this.#approved.get(toolkitId) ?? new Map<string, ApprovedTexts>();
      const known = ofToolkit.get(name);
      const texts = { hashes: (known?.hashes ?? new Set()).add(hash), hasShape: hasShape || (known?.hasShape ?? false) };
      this.#approved.set(toolkitId, ofToolkit.set(name, texts));
      this.#rejected.get(toolkitId)?.delete(placeOf({ name, hash }));
    }
  }

  loadRejections(toolkitIds: readonly string[] | undefined, rejections: readonly RejectionRecord[]): void {
    for (const id of toolkitIds ?? [...this.#rejected.keys()]) this.#rejected.delete(id);
    this.addRejections(rejections);
  }

  addRejections(rejections: readonly RejectionRecord[]): void {
    for (const rejection of rejections) {
      const ofToolkit = this.#rejected.get(rejection.toolkitId) ?? new Map<string, RejectionRecord>();
      this.#rejected.set(rejection.toolkitId, ofToolkit.set(placeOf(rejection), rejection));
    }
  }

  rejection(texts: Pick<RejectionRecord, 'toolkitId' | 'name' | 'hash'>): RejectionRecord | undefined {
    return this.#rejected.get(texts.toolkitId)?.get(placeOf(texts));
  }

  /** Whether any texts of the action were approved. */
  hasApprovals({ toolkitId, name }: ActionRecord): boolean {
    return this.#approved.get(toolkitId)?.has(name) ?? false;
  }

  isApproved({ toolkitId, name }: ActionRecord, hash: string): boolean {
    return this.#approved.get(toolkitId)?.get(name)?.hashes.has(hash) ?? false;
  }

  /** Whether the linter's findings are not needed to decide. */
  isDecided(toolkit: ToolkitRecord, actions: readonly ActionRecord[]): boolean {
    return actions.every((action) => this.#decide(toolkit, action) !== 'if error');
  }

  /**
   * Updates `held` of the toolkit's actions. Returns the ids of those that changed.
   *
   * @param findings undefined holds the actions that the linter has not read yet
   */
  apply(toolkit: ToolkitRecord, actions: readonly ListedAction[], findings: readonly LintFinding[] | undefined): string[] {
    const errors = new Set(findings?.filter(({ severity }) => severity === 'error').map(({ action }) => action));
    // An error of the toolkit is one of all its actions.
    const hasError = (id: string) => findings === undefined || errors.has(undefined) || errors.has(id);
    return actions.flatMap((action) => {
      const id = idOf(action);
      const decided = this.#decide(toolkit, action);
      const hasNewShape = decided === 'new shape';
      const held = hasNewShape ? undefined : decided !== 'if error' ? decided : hasError(id) ? 'error' : undefined;
      if (held === action.held && hasNewShape === (action.hasNewShape ?? false)) return [];
      action.held = held;
      action.hasNewShape = hasNewShape;
      return [id];
    });
  }

  #decide(toolkit: ToolkitRecord, action: ActionRecord): Decision {
    const approved = this.#approved.get(toolkit.id)?.get(action.name);
    if (this.#rejected.has(toolkit.id)) {
      const hash = reviewHash(reviewText(toolkit, action));
      if (this.rejection({ toolkitId: toolkit.id, name: action.name, hash })) return 'rejected';
    }
    if (!approved && this.#policy.newActions === 'review') return 'new';
    if (approved?.hashes.has(reviewHash(reviewText(toolkit, action)))) return undefined;
    if (!approved || this.#policy.changedActions === 'allow') return 'if error';
    return isApprovedWithoutShape(toolkit, action, approved) ? 'new shape' : 'changed';
  }
}

const placeOf = ({ name, hash }: Pick<RejectionRecord, 'name' | 'hash'>) => `${name} ${hash}`;

/** The shape of the action's result as agents see it. Read it here, never from the record: its texts may wait for approval. */
export function shownResult({ resultSchema, hasNewShape }: ListedAction): JsonSchema | undefined {
  return resultSchema && hasNewShape ? bareShape(resultSchema) : resultSchema;
}

/** Nothing is held or recorded: a catalogue of a test or a bench. */
export function noReviews(): ActionReviews {
  return new ActionReviews({ newActions: 'allow', changedActions: 'allow' }, async () => {});
}

/** True after an upgrade of a toolkit or of its source that declares results: it must not hold what an owner approved. */
function isApprovedWithoutShape(
  toolkit: ToolkitRecord,
  { resultSchema, ...former }: ActionRecord,
  { hashes, hasShape }: ApprovedTexts,
): boolean {
  return !hasShape && resultSchema !== undefined && hashes.has(reviewHash(reviewText(toolkit, former)));
}

function idOf({ toolkitId, name }: ActionRecord): string {
  return formatActionId(toolkitId, name);
}

/** Throws ACTION_NOT_ALLOWED for an action that waits. Call it for callers that may use the action once it is approved. */
export function refuseHeld(id: string, action: ListedAction): ListedAction {
  if (action.held === undefined) return action;
  if (action.held === 'rejected')
    throw new SvcError('ACTION_NOT_ALLOWED', `An owner of this service rejected "${id}", so it cannot be used; search for another action`);
  const message = `"${id}" waits for the approval of an owner of this service, and cannot be used until then; search for another action`;
  throw new SvcError('ACTION_NOT_ALLOWED', message);
}
