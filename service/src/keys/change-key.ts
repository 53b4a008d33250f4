/** Checks the request for a change of a key. INVALID_REQUEST contains the remedy. */
import * as z from 'zod';
import type { ChangeKeyRequest } from '#sdk/protocol/admin';
import { appChange } from '#sdk/protocol/connection-app-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { components } from '#sdk/protocol/schemas';
import type { KeyRecord, KeyStore } from '../store/store';
import { excessOf, keyProblem, newKey } from './new-key';

const { name, allow, callsPerMinute, budget, rules, code } = newKey.shape;

/** Strict, as for a new key. */
const ownChange = z.strictObject({
  name: name.exactOptional(),
  allow: allow.unwrap().nullable().exactOptional().describe('Agent keys only; null allows everything'),
  callsPerMinute: callsPerMinute.unwrap().nullable().exactOptional().describe('Agent keys only; null means without limit'),
  budget: budget.unwrap().nullable().exactOptional().describe('Agent keys only; null allows only free actions'),
  rules: rules.unwrap().nullable().exactOptional().describe('Agent keys only, all of them; null takes them away'),
  code: code.unwrap().exactOptional().describe('Agent keys only: whether the key may run code'),
});

export const keyChange = ownChange
  .extend({ connect: appChange.exactOptional().describe('Agent keys only: how users of the app connect their accounts') })
  .register(components, { id: 'ChangeKeyRequest' }) satisfies z.ZodType<ChangeKeyRequest>;

export function readKeyChange(asked: unknown, { id, kind }: Pick<KeyRecord, 'id' | 'kind'>): Parameters<KeyStore['change']>[1] {
  const parsed = ownChange.safeParse(asked);
  if (!parsed.success) throw new SvcError('INVALID_REQUEST', keyChangeRefusal(parsed.error.issues[0], { id }));
  const change = parsed.data;
  if (
    kind !== 'agent' &&
    [change.allow, change.callsPerMinute, change.budget, change.rules, change.code].some((part) => part !== undefined)
  )
    throw invalid(id, `allow, callsPerMinute, budget, rules and code are for agent keys, this is of kind "${kind}": leave them out`);
  if (change.allow && change.allow.toolkits.length + change.allow.actions.length === 0)
    throw invalid(id, 'allow names nothing: name toolkits or actions, or send null to allow everything');
  const excess = change.budget && excessOf(change.budget);
  if (excess) throw invalid(id, excess);
  if (Object.keys(change).length === 0) throw invalid(id, 'the change is empty: send name, allow, callsPerMinute, budget, rules or code');
  return change.rules?.length === 0 ? { ...change, rules: null } : change;
}

/** The error message for an invalid change. */
export function keyChangeRefusal(issue: z.core.$ZodIssue | undefined, { id = '' }: { id?: string }): string {
  return `Key ${id.slice(0, 100)} cannot be changed: ${keyProblem(issue)}`;
}

function invalid(id: string, sentence: string): SvcError {
  return new SvcError('INVALID_REQUEST', `Key ${id} cannot be changed: ${sentence}`);
}
