import type { LoadSvcToolsOptions } from 'svc-sdk/agent-tool';

/** True if the options need `loadSvcTools`. */
export function isStatic({ dynamicTools, staticToolkits, staticActions }: LoadSvcToolsOptions): boolean {
  return dynamicTools !== undefined || staticToolkits !== undefined || staticActions !== undefined;
}
