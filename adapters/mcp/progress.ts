/**
 * Progress for a client that requested it: the reports of the handler, and a sign of life after each 20 s without one, because clients end a call
 * that is silent for too long.
 *
 * Shape: values grow, as the specification requires. A sign of life adds the least to the last value.
 */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress } from 'svc-sdk';

const SILENCE_MS = 20_000;
/** Too small to be seen in any value of a handler. */
const LEAST_STEP = 2 ** -30;

export interface CallProgress {
  /** Undefined for a client that requested no progress. */
  listener: ((progress: Progress) => void) | undefined;
  /** Called when the call has ended. */
  end(): void;
}

export function startProgress({ mcpReq }: ServerContext): CallProgress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { listener: undefined, end() {} };
  let reported = Number.NEGATIVE_INFINITY;
  let last: Progress = { progress: -LEAST_STEP };
  let timer: ReturnType<typeof setInterval> | undefined;
  const next = () => last.progress + LEAST_STEP * Math.max(1, Math.abs(last.progress));
  const restart = () => {
    clearInterval(timer);
    timer = setInterval(() => send({ ...last, progress: next() }), SILENCE_MS);
  };
  const send = (progress: Progress) => {
    last = progress;
    // Rejects when the client has disconnected, which cancels the call anyway.
    mcpReq.notify({ method: 'notifications/progress', params: { ...progress, progressToken } }).catch(() => {});
  };
  restart();
  return {
    listener(report) {
      // A call that is sent again starts from the beginning.
      if (report.progress <= reported) return;
      reported = report.progress;
      restart();
      send(report.progress > last.progress ? report : { ...report, progress: next() });
    },
    end: () => clearInterval(timer),
  };
}
