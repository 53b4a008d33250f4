import type { RunningTarget } from '../load/target.ts';

export interface NamedTarget {
  name: string;
  running: RunningTarget;
}
