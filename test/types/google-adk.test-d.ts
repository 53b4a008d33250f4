/** Compiled by `tsc`, never run: the tools fit an agent. */
import { type BaseTool, LlmAgent } from '@google/adk';
import { Tools } from 'svc-sdk';
import { loadSvcTools, svcTools } from 'svc-sdk/google-adk';

declare const mine: BaseTool;

export async function theToolsFit(): Promise<LlmAgent> {
  const tools: BaseTool[] = [...svcTools({ tools: new Tools() }), ...(await loadSvcTools({ staticToolkits: ['weather'] })), mine];
  return new LlmAgent({ name: 'a', model: 'gemini-3.8-flash', tools: [...svcTools(new Tools(), { onPayment: () => {} }), ...tools] });
}

export const options = svcTools({ needsApproval: (action, payload) => action === 'a__b' && 'x' in payload, askAbove: '0.50' });

// @ts-expect-error a misspelt option
svcTools({ needApproval: true });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error a promise is not a list of tools: await it
export const unawaited = new LlmAgent({ name: 'a', tools: loadSvcTools() });
