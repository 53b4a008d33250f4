/** Compiled by `tsc`, never run: the tools fit agents with any context, and no other options do. */
import { Agent, type FunctionTool, run } from '@openai/agents';
import { Tools } from 'svc-sdk';
import { loadSvcTools, type SvcFunctionTool, svcTools } from 'svc-sdk/openai-agents';

declare const mine: FunctionTool<User>;

interface User {
  name: string;
}

export async function theToolsFit(signal: AbortSignal): Promise<string | undefined> {
  const plain = new Agent({ name: 'plain', tools: svcTools() });
  const { finalOutput, interruptions } = await run(plain, '', { signal });
  const named: string | undefined = interruptions[0]?.name;
  const withContext = new Agent<User>({
    name: 'with context',
    tools: [...svcTools(), mine, ...(await loadSvcTools({ staticActions: ['a__b'] }))],
  });
  await run(withContext, '', { context: { name: 'Ada' } });
  return finalOutput ?? named;
}

export const one: SvcFunctionTool | undefined = svcTools()[0];

export const options = [
  svcTools(new Tools()),
  svcTools({ tools: new Tools(), needsApproval: (action, payload) => action === 'a__b' && 'x' in payload, askAbove: '0.50' }),
];

// @ts-expect-error a misspelt option
svcTools({ needApproval: true });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error a promise is not a list of tools: await it
export const unawaited = new Agent({ name: 'unawaited', tools: loadSvcTools() });
// @ts-expect-error the list of tools is not a tool
export const nested = new Agent({ name: 'nested', tools: [svcTools()] });
