/** `svc-service`: the service as a part of your own program or test. */

export type { ChangedPerson, ChangeKeyRequest, CreatedInvitation, Person, RemovedPerson, Role } from '#sdk/protocol/admin';
export { SvcError } from '#sdk/protocol/errors';
export type { AllowList, Budget, CreatedKey, CreateKeyRequest, KeyInfo, KeyKind } from '#sdk/protocol/http';
export type {
  HeldChanges,
  ImportedActionPreview,
  Importer,
  ImportPreview,
  ImportRequest,
  ImportStatus,
} from '#sdk/protocol/imports';
export { DEFAULT_LIMITS, type Limits } from '#sdk/protocol/limits';
export type { LintFinding, LintRule } from '#sdk/protocol/lint';
export type { ApprovalDecider, PayloadTest, Rule, RuleDefaults, RuleEffect, RuleHint, RuleMatch } from '#sdk/protocol/rules';
export type { CatalogueAccess } from './accounts/catalogue-access';
export type { ConsoleOptions, OidcOptions, PlaygroundOptions } from './accounts/console-options';
export { openPeople, type StoredPeople } from './accounts/open-people';
export type { NatsOptions, NatsTlsOptions } from './bus/nats-options';
export { type LintedToolkit, lintToolkit } from './catalog/lint';
export type { ReviewSetting } from './catalog/review/review-policy';
export type { RankWeights, RankWeightsSetting } from './catalog/search/index';
export type { KeptConnectionsOptions } from './connections/kept-connections-options';
export type { EmbeddingModel } from './embeddings/ai-sdk-embedder';
export type { EmbeddingsOptions } from './embeddings/options';
export type { RegistrationListener, ToolkitRegistration } from './hub/registrations';
export { type Keys, openKeys } from './keys/keys';
export { type EvidenceSummary, type LearningSetting, type LoggedQuery, openEvidence, type StoredEvidence } from './learning/index';
export type { Logger } from './lib/logger';
export type { Service } from './lifecycle/service-handle';
export {
  type BackupOptions,
  type ByteSink,
  backupData,
  type ExportOptions,
  exportData,
  type ImportOptions,
  importData,
  type ProgressListener,
  recordBackup,
  type TransferProgress,
} from './lifecycle/transfer';
export type { MetricsOptions } from './metrics/options';
export type { ChargedEntry } from './payments/charged-entry';
export type { Settle } from './payments/settlement';
export type { LedgerWebhook } from './payments/webhook';
export { createService, migrateData, type ServiceOptions } from './service';
export type { DataPlace } from './store/location';
export type { Versions } from './store/migrations';
export type { Durability } from './store/store';
