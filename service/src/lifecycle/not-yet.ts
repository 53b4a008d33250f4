import type { DetachedRunner } from '../calls/detached/detached-runner';

// Each of these goes when its room lands.
const missing = async () => {
  throw new Error('This room is not there yet');
};
export const NO_DETACHED: DetachedRunner = { start: missing, follow: missing };
