import type { Tools } from 'svc-sdk';

/** The same tools, with the milliseconds that each call took, by its id. */
export function timedTools(tools: Tools) {
  const milliseconds = new Map<string, number>();
  const callTools: Tools['callTools'] = async (calls) => {
    const messages = await Promise.all(
      (calls ?? []).map(async (call) => {
        const start = performance.now();
        const answer = await tools.callTools([call]);
        milliseconds.set(call.id, performance.now() - start);
        return answer;
      }),
    );
    return messages.flat();
  };
  return { getTools: () => tools.getTools(), callTools, milliseconds };
}
