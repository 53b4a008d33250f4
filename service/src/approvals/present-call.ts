/**
 * Compares an approval with the present: a person approves what they saw, and nothing else. The key, its grant, its allow list and rules, the action,
 * its price and the account must be as they were.
 */
import { SvcError } from '#sdk/protocol/errors';
import { parseActionId } from '#sdk/protocol/ids';
import type { JsonObject } from '#sdk/protocol/json-object';
import { versionOf } from '../catalog/action-version';
import type { Catalog } from '../catalog/catalog';
import type { CallingKey } from '../keys/agent-tokens';
import { allowed } from '../keys/allowed';
import type { CallerIds } from '../keys/caller-ids';
import { callingKeyOf, type KeptCaller } from '../keys/kept-caller';
import { isActive, type KeyRing } from '../keys/key-ring';
import type { KeptTexts } from '../lib/kept-texts';
import { type AskingRule, type CallRules, isSameRule } from '../rules/call-rules';
import type { CallApprovalRecord } from '../store/approval-store';
import type { Store } from '../store/store';
import { type ApprovalAsk, CALLER_ACCOUNT } from './call-approvals';
import { openPayload } from './kept-payload';

/** The caller of a question, as its row has it. */
export interface AskingCaller extends KeptCaller {
  /** The search that led to the call. */
  searchId?: string | undefined;
  /** The program that made the call. */
  madeBy?: string | undefined;
}

export interface PresentCall {
  key: CallingKey;
  callerIds: CallerIds | undefined;
  searchId: string | undefined;
  madeBy: string | undefined;
  payloadJson: string;
}

export interface PresentCallsDeps {
  store: Pick<Store, 'connections' | 'oauth'>;
  keys: Pick<KeyRing, 'find'>;
  catalog: Pick<Catalog, 'action'>;
  rules: Pick<CallRules, 'verdict'>;
  texts: Pick<KeptTexts, 'open'>;
}

export class PresentCalls {
  readonly #deps: PresentCallsDeps;

  constructor(deps: PresentCallsDeps) {
    this.#deps = deps;
  }

  /** The call as it would run now, or what has changed, in words that complete "because …". */
  async of(record: CallApprovalRecord): Promise<PresentCall | { changed: string }> {
    const { keys, store } = this.#deps;
    const keyRecord = await keys.find(record.agentKeyId);
    if (!keyRecord || !isActive(keyRecord)) return { changed: 'its key has ended' };
    if (record.grantId !== null && !(await isLive(record.grantId, store.oauth))) return { changed: 'the sign-in of its app has ended' };
    const payloadJson = openPayload(this.#deps.texts, record);
    if (payloadJson === undefined) return { changed: 'the service cannot read its payload any more' };
    const caller = JSON.parse(record.caller) as AskingCaller;
    const { key, callerIds } = callingKeyOf(keyRecord, caller);
    const changed =
      this.changedAction(record) ?? this.#changedRule(record, key, JSON.parse(payloadJson)) ?? (await this.#changedAccount(record));
    const { searchId, madeBy } = caller;
    return changed === undefined ? { key, callerIds, searchId, madeBy, payloadJson } : { changed };
  }

  changedAction({ action: id, actionVersion }: Pick<CallApprovalRecord, 'action' | 'actionVersion'>): string | undefined {
    const action = this.#deps.catalog.action(id);
    if (!action || action.held !== undefined) return 'the action is not offered any more';
    return versionOf(action) === actionVersion ? undefined : 'the action has changed';
  }

  #changedRule(record: CallApprovalRecord, key: CallingKey, payload: JsonObject): string | undefined {
    const { action: actionId, userId } = record;
    const action = this.#deps.catalog.action(actionId);
    if (!action || !allowed(key, actionId)) return 'its key may not use the action any more';
    try {
      const verdict = this.#deps.rules.verdict({ key, actionId, action, payload, userId: userId ?? undefined });
      if (verdict.do === 'deny') return 'a rule denies it now';
      if (verdict.do === 'ask' && !isSameRule(verdict, askingRuleOf(record))) return 'another rule asks about it now';
      return undefined;
    } catch (error) {
      if (SvcError.is(error)) return 'the rules of its key cannot be checked';
      throw error;
    }
  }

  async #changedAccount({ connection, connectionName }: CallApprovalRecord): Promise<string | undefined> {
    if (connection === null || connection === CALLER_ACCOUNT) return undefined;
    const { connections } = this.#deps.store;
    const [id = ''] = connection.split(' ', 1);
    const present = await connections.find(id);
    const account = present && `${id} ${present.account}`.trim();
    if (present?.status !== 'live' || account !== connection) return 'the account is not connected any more';
    if (connectionName !== null) return undefined;
    const fitting = await connections.ofOwner(present.toolkitId, present.owner);
    return fitting.length === 1 || present.isDefault ? undefined : 'it would use another account now';
  }
}

/** True if a new equal call must not use the approval: something has changed since. */
export function isOutdated(record: CallApprovalRecord, ask: ApprovalAsk): boolean {
  return (
    record.actionVersion !== ask.actionVersion ||
    record.connection !== (ask.connection ?? null) ||
    !isSameRule(ask, askingRuleOf(record)) ||
    isDearer(record, ask)
  );
}

function isDearer({ price, currency }: CallApprovalRecord, { hold }: ApprovalAsk): boolean {
  return hold !== undefined && (price === null || hold.amount > price || hold.currency !== currency);
}

/** The rule that asked. */
export function askingRuleOf({ decider, rule }: CallApprovalRecord): AskingRule {
  return { decidedBy: decider, ...(rule !== null && { rule: JSON.parse(rule) }) };
}

/** The connection name that the caller chose, as calls have it. */
export function namesOf({ action, connectionName }: CallApprovalRecord): ReadonlyMap<string, string> | undefined {
  const toolkitId = parseActionId(action)?.toolkitId;
  return connectionName === null || toolkitId === undefined ? undefined : new Map([[toolkitId, connectionName]]);
}

async function isLive(grantId: string, oauth: Pick<Store['oauth'], 'grant'>): Promise<boolean> {
  const grant = await oauth.grant(grantId);
  const now = Date.now();
  return grant !== undefined && grant.endedAt === null && grant.expiresAt > now && grant.idleUntil > now;
}
