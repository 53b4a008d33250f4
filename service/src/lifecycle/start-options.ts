/** Checked options of a service, with the store and the bus that it uses and closes. */
import type { Importer } from '#sdk/protocol/imports';
import type { Limits } from '#sdk/protocol/limits';
import type { RuleDefaults } from '#sdk/protocol/rules';
import type { CatalogueAccess } from '../accounts/catalogue-access';
import type { ConsoleOptions } from '../accounts/console-options';
import type { Bus } from '../bus/bus';
import type { ReviewPolicy } from '../catalog/review/review-policy';
import type { RankWeights } from '../catalog/search/index';
import type { KeptConnectionsOptions } from '../connections/kept-connections-options';
import type { SecretKeysSource } from '../connections/secret-keys-source';
import type { EmbeddingsSettings } from '../embeddings/options';
import type { RegistrationListener } from '../hub/registrations';
import type { LearningSetting } from '../learning/index';
import type { Logger } from '../lib/logger';
import type { AllowedHosts } from '../mcp/allowed-hosts';
import type { MetricsOptions } from '../metrics/options';
import type { SettlementSettings } from '../payments/settlement-options';
import type { Store } from '../store/store';
import type { OpenTelemetry } from '../tracing/open-telemetry';

export interface StartOptions {
  store: Store;
  bus: Bus;
  /** Whether there may be other nodes. */
  shared: boolean;
  /** The currency of every price and budget. */
  currency: string;
  /** Effects by hint where no rule of a key matches. */
  ruleDefaults: RuleDefaults;
  settlement: SettlementSettings | undefined;
  limits: Limits;
  learning: LearningSetting;
  rankWeights: RankWeights;
  review: ReviewPolicy;
  logger: Logger;
  port: number;
  host: string;
  hosts: AllowedHosts;
  origins: ReadonlySet<string>;
  embeddings: EmbeddingsSettings | undefined;
  metrics: MetricsOptions | undefined;
  tracing: OpenTelemetry | undefined;
  console: ConsoleOptions | undefined;
  /** The readers of the catalogue's pages. */
  catalogue: CatalogueAccess;
  secretKeys: SecretKeysSource;
  connections: KeptConnectionsOptions;
  importer: Importer | undefined;
  /** The SMTP server of alerts by e-mail, with its password. */
  smtpUrl: string | undefined;
  /** Whether keys with that right may run code. */
  code: boolean;
  onRegistration: RegistrationListener | undefined;
}
