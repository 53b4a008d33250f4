/** The texts that wait for approval; what changed since the last approval is marked. */
import type { Review } from '#sdk/protocol/admin';
import { DiffBlock, type DiffLine } from '../../parts/diff-block';
import { diffLines } from './line-diff';
import { reviewLines } from './review-lines';

export function ReviewDiff({ review: { action, text, approvedText } }: { review: Review }) {
  const now = reviewLines(text);
  const lines: DiffLine[] =
    approvedText === undefined ? now.map((line) => ({ kind: 'same', text: line })) : diffLines(reviewLines(approvedText), now);
  return <DiffBlock lines={lines} label={`Texts of ${action}`} />;
}
