/**
 * Usage of limits that all nodes share. Each node announces its usage twice a second.
 *
 * Only usage above a tenth of its limit is announced, which keeps the message small. With n nodes a limit may therefore be exceeded by n -
 * 1 tenths, and by the calls that other nodes admit within half a second.
 */
import type { Limits } from '#sdk/protocol/limits';

/** Share of a limit above which a node announces its count. */
const ANNOUNCED_ABOVE = 0.1;

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
  const addNearLimit = (items: Iterable<readonly [string, number]>, limit: number, name: (id: string) => string) => {
    for (const [id, count] of items) if (count > limit * ANNOUNCED_ABOVE) counts[name(id)] = count;
  };
  addNearLimit(callsByKey, limits.invocationsPerKey, sharedCount.calls);
  addNearLimit(socketsByKey, limits.socketsPerKey, sharedCount.sockets);
  addNearLimit(runningByToolkit, limits.invocationsPerToolkit, sharedCount.running);
  return counts;
}
