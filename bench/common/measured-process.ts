/** A child process whose memory and CPU time can be read. */
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { LoopDelay, Usage } from './gauge.ts';
import { type RunningProcess, type StartOptions, startNode } from './processes.ts';

const GAUGE = fileURLToPath(new URL('gauge.ts', import.meta.url));

export interface MeasuredProcess extends RunningProcess {
  /** The address in its ready line. */
  address: string;
  /** @param collect after a garbage collection */
  usage(options?: { collect: boolean }): Promise<Usage>;
  loopDelay(): Promise<LoopDelay>;
}

/** Resolves when it is ready: when it has printed what `ready` matches. Rejects when it ends before. */
export async function startMeasured(args: string[], options: StartOptions): Promise<MeasuredProcess> {
  const pattern = new RegExp(String.raw`gauge (?<gauge>http:\S+)\s[^]*?(?<address>${options.ready.source})`);
  const process = startNode(['--expose-gc', '--import', GAUGE, ...args], { ...options, ready: pattern });
  const { gauge = '', address = '' } = (await process.ready).groups ?? {};
  const ask = async <T>(path: string) => (await (await request(`${gauge}/${path}`)).body.json()) as T;
  return {
    ...process,
    address,
    usage: ({ collect } = { collect: false }) => ask<Usage>(collect ? '?collect' : ''),
    loopDelay: () => ask<LoopDelay>('loop'),
  };
}
