/** `svc-service/import`: toolkits made from existing servers and documents. The root never loads it. */

export type { HeldChanges, ImportedActionPreview, Importer, ImportPreview, ImportRequest, ImportStatus } from '#sdk/protocol/imports';
export type { FilterOptions, TagCount } from './action-filters';
export type { ConnectionChoice, ConnectionSettings } from './connection-settings';
export { fetchDocument, isAddress } from './fetch-document';
export { heldChanges } from './held-changes';
export type { ImportEvent } from './import-event';
export { previewSource } from './import-preview';
export { type ImportToolkitsOptions, importToolkits } from './import-toolkits';
export type { ImportedAction, SkippedPart } from './imported-action';
export { keptDocument } from './kept-document';
export { type LockFile, readLockFile, writeLockFile } from './lock-file';
export type { HttpConfig, McpConfig, ProcessConfig, ServerLog } from './mcp/config';
export { type McpToolkitOptions, mcpToolkit } from './mcp/mcp-toolkit';
export { type McpSource, type OpenMcpOptions, openMcp } from './mcp/open-mcp';
export { type ReadMcpServers, readMcpServers } from './mcp/read-mcp-servers';
export { type SignInOptions, signIn } from './mcp/sign-in';
export { SignInRequired } from './mcp/sign-in-required';
export { type OpenSource, type OpenSourceOptions, openSource } from './open-source';
export type { OpenapiAuth } from './openapi/credentials';
export { type ImportOpenapiOptions, importOpenapi, type OpenapiImport } from './openapi/import-openapi';
export { type OpenapiToolkitOptions, openapiToolkit } from './openapi/openapi-toolkit';
export type { RequestTarget } from './openapi/request-targets';
export type { MissingCredential } from './openapi/security';
export { pinChangesText } from './pin-changes-text';
export {
  type ActionText,
  comparePins,
  type ImportedToolkit,
  type NamedAction,
  type PinChange,
  pinnedNames,
  pinsOf,
  type ToolkitPins,
} from './pins';
export { type PresentOptions, presentActions } from './present-actions';
export type { RunningImports } from './running-folder';
export type { SourceProfile } from './source-profile';
export {
  checkEntry,
  type Env,
  type OpenapiEntry,
  type Presentation,
  readToolkitsFile,
  type ToolkitEntry,
  type ToolkitsFile,
  withVariables,
} from './toolkits-file';
export { openToolkitsFolder, type ToolkitsFolder } from './toolkits-folder';
export { entryYaml } from './toolkits-yaml';
export { withBaseUrl } from './with-base-url';
