/**
 * Usage of limits that all nodes share: this node announces its own twice a second.
 *
 * Only usage above a tenth of its limit is announced, so that the message stays small: with n nodes a limit may be exceeded by n - 1 tenths, and by
 * the calls that the others admit in that half second.
 */
import type { Limits } from '../../protocol/limits';

const TOLD_FROM = 0.1;

/** The names under which nodes count. */
export const sharedCount = {
  calls: (agentKeyId: string): string => `calls ${agentKeyId}`,
  sockets: (toolkitKeyId: string): string => `sockets ${toolkitKeyId}`,
  running: (toolkitId: string): string => `running ${toolkitId}`,
};

export interface CountSources {
  callsByKey: Iterable<readonly [agentKeyId: string, calls: number]>;
  socketsByKey: Iterable<readonly [toolkitKeyId: string, sockets: number]>;
  runningByToolkit: Iterable<readonly [toolkitId: string, running: number]>;
}

export function sharedCounts(
  { callsByKey, socketsByKey, runningByToolkit }: CountSources,
  limits: Pick<Limits, 'invocationsPerKey' | 'socketsPerKey' | 'invocationsPerToolkit'>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  const tell = (items: Iterable<readonly [string, number]>, limit: number, name: (id: string) => string) => {
    for (const [id, count] of items) if (count > limit * TOLD_FROM) counts[name(id)] = count;
  };
  tell(callsByKey, limits.invocationsPerKey, sharedCount.calls);
  tell(socketsByKey, limits.socketsPerKey, sharedCount.sockets);
  tell(runningByToolkit, limits.invocationsPerToolkit, sharedCount.running);
  return counts;
}
