/** The cases of retries.json with a `handler`, played between `Tools`, the real service and a toolkit with the handler of the case. */
import { SvcError, Tools, type ToolsOptions } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { expectMatch } from '../support/match';
import { startService } from '../support/service';
import { vector } from '../support/vectors';

interface Case {
  name: string;
  action?: object;
  call: { args: [action: string, payload: object]; options?: ToolsOptions };
  handler?: ({ error: { code: string; message: string; retryable: boolean; retryAfterMs?: number } } | { result: string })[];
  waitsMs: number[];
  outcome: object;
}

test.each(vector<Case[]>('retries').filter(({ handler }) => handler))(
  'retries.json: $name',
  async ({ action, call, handler = [], ...wanted }) => {
    const service = await startService();
    const outcomes = [...handler];
    const runs: { invocationId: string; idempotencyKey: string; at: number }[] = [];
    await service.toolkit('vector', (toolkit) =>
      toolkit.action({ action: 'echo', actionDescription: 'Does what a case says', ...action }, (ctx) => {
        runs.push({ invocationId: ctx.invocationId, idempotencyKey: ctx.idempotencyKey, at: performance.now() });
        const outcome = outcomes.shift();
        if (!outcome) throw new Error('one run too many');
        return 'error' in outcome ? ctx.error(outcome.error.code, outcome.error.message, outcome.error) : outcome.result;
      }),
    );
    // No random part: the clock is real.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { key } = await service.keys.create({ kind: 'agent', name: 'agent', budget: { perCall: '0.01', perDay: '0.01' } });
    const tools = new Tools({ baseUrl: service.url, apiKey: key, ...call.options });
    const said = await tools.invoke(...call.args).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: SvcError.is(error) ? error.toJSON() : error }),
    );
    expectMatch(said, wanted.outcome, new Map());
    expect(outcomes).toEqual([]);
    expect(new Set(runs.map(({ invocationId }) => invocationId)).size).toBe(handler.length);
    expect(new Set(runs.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    const askedMs = handler.map((outcome) => ('error' in outcome ? (outcome.error.retryAfterMs ?? 0) : 0));
    // A timer may be early by a millisecond.
    for (const [index, { at }] of runs.slice(1).entries()) expect(at - (runs[index]?.at ?? 0)).toBeGreaterThan((askedMs[index] ?? 0) - 2);
  },
);
