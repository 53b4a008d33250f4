/** A child process whose memory and CPU time can be read. */
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { Usage } from './gauge.ts';
import { type RunningProcess, type StartOptions, startNode } from './processes.ts';

const GAUGE = fileURLToPath(new URL('gauge.ts', import.meta.url));

export interface MeasuredProcess extends RunningProcess {
  /** The address in its ready line. */
  address: string;
  /** @param collect after a garbage collection */
  usage(options?: { collect: boolean }): Promise<Usage>;
}

/** Resolves when it is ready: when it has printed what `ready` matches. Rejects when it ends before. */
export async function startMeasured(args: string[], options: StartOptions): Promise<MeasuredProcess> {
  const pattern = new RegExp(String.raw`gauge (?<gauge>http:\S+)\s[^]*?(?<address>${options.ready.source})`);
  const process = startNode(['--expose-gc', '--import', GAUGE, ...args], { ...options, ready: pattern });
  const { gauge = '', address = '' } = (await process.ready).groups ?? {};
  return {
    ...process,
    address,
    usage: async ({ collect } = { collect: false }) => {
      const answer = await request(`${gauge}/${collect ? '?collect' : ''}`);
      return (await answer.body.json()) as Usage;
    },
  };
}
