/** The faults of the harness, and the parts each of them needs. */
export type FaultKind =
  | 'node-kill'
  | 'node-pause'
  | 'node-drain'
  | 'node-nats-partition'
  | 'node-postgres-partition'
  | 'replica-kill'
  | 'replica-pause'
  | 'replica-stop'
  | 'replica-slow'
  | 'replica-cut'
  | 'callers-cut'
  | 'nats-cut'
  | 'nats-kill'
  | 'postgres-cut'
  | 'postgres-stall'
  | 'postgres-kill';

export interface FaultFacts {
  what: string;
  /** The part that is unavailable during the fault. */
  hits: 'node' | 'replica' | 'nats' | 'postgres' | 'nothing';
  needs?: 'nats' | 'postgres';
  /** Relative frequency. */
  weight: number;
  minMs: number;
  maxMs: number;
  /** Approximate time until the part is available again. */
  restMs: number;
}

export const FAULTS: Readonly<Record<FaultKind, FaultFacts>> = {
  'node-kill': { what: 'SIGKILL, started again', hits: 'node', weight: 3, minMs: 100, maxMs: 1_500, restMs: 2_000 },
  'node-pause': { what: 'SIGSTOP, SIGCONT', hits: 'node', weight: 2, minMs: 1_000, maxMs: 8_000, restMs: 500 },
  'node-drain': { what: 'SIGTERM, waited for, started again', hits: 'node', weight: 2, minMs: 0, maxMs: 500, restMs: 5_000 },
  'node-nats-partition': {
    what: 'no bytes to NATS, or refused',
    hits: 'node',
    needs: 'nats',
    weight: 2,
    minMs: 500,
    maxMs: 8_000,
    restMs: 2_000,
  },
  'node-postgres-partition': {
    what: 'no bytes to PostgreSQL, or refused',
    hits: 'node',
    needs: 'postgres',
    weight: 2,
    minMs: 500,
    maxMs: 8_000,
    restMs: 2_000,
  },
  'replica-kill': { what: 'SIGKILL, started again', hits: 'replica', weight: 5, minMs: 100, maxMs: 2_000, restMs: 2_000 },
  'replica-pause': { what: 'SIGSTOP, SIGCONT', hits: 'replica', weight: 3, minMs: 1_000, maxMs: 8_000, restMs: 500 },
  'replica-stop': { what: 'SIGTERM, waited for, started again', hits: 'replica', weight: 2, minMs: 0, maxMs: 500, restMs: 5_000 },
  'replica-slow': { what: 'handlers take 2.5 s more', hits: 'nothing', weight: 2, minMs: 3_000, maxMs: 3_000, restMs: 2_500 },
  'replica-cut': { what: 'its socket is reset', hits: 'nothing', weight: 4, minMs: 0, maxMs: 0, restMs: 0 },
  'callers-cut': { what: "all callers' sockets are reset", hits: 'nothing', weight: 2, minMs: 0, maxMs: 0, restMs: 0 },
  'nats-cut': { what: "all nodes' sockets to NATS are reset", hits: 'nothing', needs: 'nats', weight: 2, minMs: 0, maxMs: 0, restMs: 500 },
  'nats-kill': { what: 'SIGKILL, started again', hits: 'nats', needs: 'nats', weight: 2, minMs: 200, maxMs: 2_000, restMs: 1_500 },
  'postgres-cut': {
    what: "all nodes' sockets to PostgreSQL are reset",
    hits: 'nothing',
    needs: 'postgres',
    weight: 2,
    minMs: 0,
    maxMs: 0,
    restMs: 500,
  },
  'postgres-stall': {
    what: 'no bytes to PostgreSQL, as with a slow disk',
    hits: 'postgres',
    needs: 'postgres',
    weight: 2,
    minMs: 200,
    maxMs: 1_500,
    restMs: 500,
  },
  'postgres-kill': {
    what: 'immediate shutdown, started again',
    hits: 'postgres',
    needs: 'postgres',
    weight: 2,
    minMs: 100,
    maxMs: 1_000,
    restMs: 2_500,
  },
};

export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

/** One that the schedule plans. */
export interface Fault {
  atMs: number;
  kind: FaultKind;
  /** Index of the node or replica; 0 elsewhere. */
  target: number;
  durationMs: number;
}

/** One that was done. Times are milliseconds since the epoch. */
export interface DoneFault {
  kind: FaultKind;
  target: string;
  from: number;
  /** The time at which the affected part had recovered. */
  to: number;
  /** True when the target was still out of order from an earlier fault. */
  skipped: boolean;
}
