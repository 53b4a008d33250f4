/** `svc-sdk/import`: toolkits made of what exists already. Never loaded by the root. */
export type { FilterOptions } from './action-filters';
export type { ImportedAction, SkippedPart } from './imported-action';
export { type LockFile, readLockFile, writeLockFile } from './lock-file';
export type { HttpConfig, McpConfig, ProcessConfig, ServerLog } from './mcp/config';
export { type McpToolkitOptions, mcpToolkit } from './mcp/mcp-toolkit';
export { type McpSource, type OpenMcpOptions, openMcp } from './mcp/open-mcp';
export { type ReadMcpServers, readMcpServers } from './mcp/read-mcp-servers';
export type { MissingCredential, OpenapiAuth } from './openapi/credentials';
export { type ImportOpenapiOptions, importOpenapi, type OpenapiImport } from './openapi/import-openapi';
export { type OpenapiToolkitOptions, openapiToolkit } from './openapi/openapi-toolkit';
export { pinChangesText } from './pin-changes-text';
export { type ActionText, comparePins, type ImportedToolkit, type NamedAction, type PinChange, pinsOf, type ToolkitPins } from './pins';
export { type PresentOptions, presentActions } from './present-actions';
export {
  type OpenapiEntry,
  type Presentation,
  readToolkitsFile,
  type ToolkitEntry,
  type ToolkitsFile,
  withVariables,
} from './toolkits-file';
