/** The flags for the review of actions. Environment: SVC_NEW_ACTIONS, SVC_CHANGED_ACTIONS. */
import { type Command, Option } from 'commander';
import type { ReviewSetting } from 'svc-service';

export interface ReviewFlags {
  newActions: ReviewSetting;
  changedActions: ReviewSetting;
}

export function addReviewFlags(command: Command): Command {
  return command
    .addOption(reviewOption('--new-actions <what>', 'new actions: agents may use them at once (allow), or after an approval (review)'))
    .addOption(
      reviewOption('--changed-actions <what>', 'approved actions whose texts change: allow, or out of use until they are approved again'),
    );
}

function reviewOption(flags: string, description: string): Option {
  const option = new Option(flags, description).choices(['allow', 'review']).default('allow');
  return option.env(`SVC_${option.attributeName() === 'newActions' ? 'NEW' : 'CHANGED'}_ACTIONS`);
}
