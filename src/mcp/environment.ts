/**
 * Which tools are offered, from the environment. Key and address are not read here: `Tools` does so by itself.
 *
 * Errors: INVALID_REQUEST for what cannot be meant.
 */
import type { GetToolsOptions } from 'svc-sdk';
import { readFlag, readList } from '../protocol/selection';

export function readSelection({ SVC_DYNAMIC_TOOLS, SVC_STATIC_TOOLKITS, SVC_STATIC_ACTIONS }: NodeJS.ProcessEnv): GetToolsOptions {
  return {
    dynamicTools: readFlag('SVC_DYNAMIC_TOOLS', SVC_DYNAMIC_TOOLS) ?? true,
    staticToolkits: readList(SVC_STATIC_TOOLKITS),
    staticActions: readList(SVC_STATIC_ACTIONS),
  };
}
