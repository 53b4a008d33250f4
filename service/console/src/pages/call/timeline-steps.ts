/** The timeline of a call as steps that follow each other, each up to the next. */
import type { InvocationDetail, TimelineEntry } from '#sdk/protocol/admin';

export interface TimelineStep {
  ms: number;
  text: string;
  detail?: string;
  /** Share of the total time before the step, and of the step itself. */
  from: number;
  length: number;
  isFault: boolean;
}

const TEXTS: Record<TimelineEntry['what'], string> = {
  received: 'Received',
  user: 'On behalf of a user',
  waiting: 'Waiting for a free process',
  claimed: 'Recorded',
  sent: 'Sent to the toolkit',
  progress: 'Progress',
  lost: 'Process lost',
  forwarded: 'Forwarded to another node',
  cancelled: 'Cancelled',
  ended: 'Ended',
};

/** @param elapsedMs duration of the call, or its duration up to now */
export function timelineSteps(
  { timeline, code, idempotencyKey }: Pick<InvocationDetail, 'timeline' | 'code' | 'idempotencyKey'>,
  elapsedMs: number,
): TimelineStep[] {
  const whole = Math.max(elapsedMs, timeline.at(-1)?.ms ?? 0, 0.1);
  return timeline.map(({ ms, what, detail }, index) => ({
    ms,
    text: what === 'claimed' && idempotencyKey !== undefined ? 'Recorded, runs once per key' : TEXTS[what],
    ...(detail !== undefined && { detail }),
    from: ms / whole,
    length: ((timeline[index + 1]?.ms ?? (what === 'ended' ? ms : whole)) - ms) / whole,
    isFault: what === 'lost' || what === 'cancelled' || (what === 'ended' && code !== 'OK'),
  }));
}
