/** `svc-sdk/import`: toolkits made of what exists already. Never loaded by the root. */
export type { FilterOptions } from './action-filters';
export type { ImportedAction, SkippedPart } from './imported-action';
export type { MissingCredential, OpenapiAuth } from './openapi/credentials';
export { type ImportOpenapiOptions, importOpenapi, type OpenapiImport } from './openapi/import-openapi';
export { type OpenapiToolkitOptions, openapiToolkit } from './openapi/openapi-toolkit';
