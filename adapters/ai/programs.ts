import type { Tool } from 'ai';
import type { ProgramTool } from 'svc-sdk/agent-tool';

/** Options of the two providers whose programs call tools; the others ignore them. */
export function forPrograms({ outputSchema }: ProgramTool): Pick<Tool, 'providerOptions'> {
  return {
    providerOptions: {
      openai: { allowedCallers: ['direct', 'programmatic'], ...(outputSchema && { outputSchema: outputSchema as never }) },
      anthropic: { allowedCallers: ['direct', 'code_execution_20260120'] },
    },
  };
}
