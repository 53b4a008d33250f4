/** Why agents cannot use an action that waits for approval, in words. */
import type { ActionReport } from '#sdk/protocol/admin';

export type Held = NonNullable<ActionReport['held']>;

export const HELD_WORDS: Record<Held, string> = {
  new: 'held: new',
  changed: 'held: changed',
  error: 'held: has errors',
  rejected: 'rejected',
};

export const HELD_REASONS: Record<Held, string> = {
  new: 'It is new, and new actions of this service wait for the approval of an owner.',
  changed: 'Its texts changed since an owner approved them.',
  error: 'The description linter found an error in it.',
  rejected: 'An owner of this service rejected its texts.',
};

/** The next step of its developer. */
export const HELD_REMEDIES: Record<Held, string> = {
  new: 'Ask an owner of this service to approve it.',
  changed: 'Ask an owner of this service to approve the new texts, or serve the approved texts again.',
  error: 'Fix the error that the suggestions name and restart the toolkit, or ask an owner of this service to approve the action as it is.',
  rejected: 'Change the texts and restart the toolkit: new texts are looked at anew.',
};
