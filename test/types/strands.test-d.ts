/** Compiled by `tsc`, never run: the tools fit an agent. */
import { Agent, type Tool } from '@strands-agents/sdk';
import { Tools } from 'svc-sdk';
import { loadSvcTools, svcTools } from 'svc-sdk/strands';

declare const mine: Tool;

export async function theToolsFit(cancelSignal: AbortSignal): Promise<string> {
  const tools: Tool[] = [...svcTools({ tools: new Tools() }), ...(await loadSvcTools({ staticToolkits: ['weather'] })), mine];
  await new Agent({ tools: svcTools(new Tools()) }).invoke('');
  return String(await new Agent({ tools }).invoke('', { cancelSignal }));
}

export const options = svcTools({ needsApproval: (action, payload) => action === 'a__b' && 'x' in payload, askAbove: '0.50' });

// @ts-expect-error a misspelt option
svcTools({ needApproval: true });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error a promise is not a list of tools: await it
export const unawaited = new Agent({ tools: loadSvcTools() });
