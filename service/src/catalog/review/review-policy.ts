import { SvcError } from '#sdk/protocol/errors';

/** `review`: agents can use such actions after an owner's approval. docs/operations.md#review-of-actions has the table. */
export type ReviewSetting = 'allow' | 'review';

export interface ReviewPolicy {
  /** Actions of which nothing was ever approved. */
  newActions: ReviewSetting;
  /** Actions that were approved with other texts. */
  changedActions: ReviewSetting;
}

export function readReviewPolicy({
  newActions,
  changedActions,
}: { [Name in keyof ReviewPolicy]?: ReviewSetting | undefined }): ReviewPolicy {
  return { newActions: readSetting('newActions', newActions), changedActions: readSetting('changedActions', changedActions) };
}

function readSetting(name: keyof ReviewPolicy, value: ReviewSetting = 'allow'): ReviewSetting {
  if (value === 'allow' || value === 'review') return value;
  throw new SvcError('INVALID_REQUEST', `${name} must be "allow" or "review", not ${JSON.stringify(value)}`);
}
