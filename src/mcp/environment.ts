/**
 * Reads from the environment which tools to offer. `Tools` itself reads key and address.
 *
 * Errors: INVALID_REQUEST for an invalid value.
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
