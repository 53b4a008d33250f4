/** The rules of agent keys, as calls use them. */
import type { JsonObject } from '#sdk/protocol/json-object';
import type { ApprovalDecider, Rule } from '#sdk/protocol/rules';
import type { ActionRecord, KeyRecord } from '../store/store';

/** An admitted call: its payload is decoded, repaired and checked. */
export interface RuledCall {
  key: KeyRecord;
  actionId: string;
  action: ActionRecord;
  payload: JsonObject;
  /** The user, as the caller names them. */
  userId: string | undefined;
}

/** The rule that asks about a call; absent for a default by hint. */
export interface AskingRule {
  decidedBy: ApprovalDecider;
  rule?: Rule | undefined;
}

export function isSameRule(one: AskingRule, other: AskingRule): boolean {
  return one.decidedBy === other.decidedBy && JSON.stringify(one.rule) === JSON.stringify(other.rule);
}

/** `rule` is absent where a default by hint decided. */
export type Verdict = { do: 'allow' } | ({ do: 'ask' } & AskingRule) | { do: 'deny'; rule?: Rule | undefined };

export interface CallRules {
  /**
   * Synchronous, and free for a key without rules in a service without defaults.
   *
   * @throws SvcError INVALID_PAYLOAD for a payload whose check costs too much
   */
  verdict(call: RuledCall): Verdict;
  /**
   * Whether a rule or default denies the action whatever its payload and user: then no search names it.
   *
   * @param action undefined for an id without an action
   */
  hides(
    key: Pick<KeyRecord, 'kind' | 'rules'>,
    actionId: string,
    action: Pick<ActionRecord, 'annotations' | 'payment'> | undefined,
  ): boolean;
}
