import { AgentGate } from '../http/agent-gate';
import { AgentTokens } from '../keys/agent-tokens';
import type { KeyRing } from '../keys/key-ring';
import { RateLimits } from '../keys/rate-limit';
import type { Metrics } from '../metrics/index';
import type { Records } from '../records/records';
import type { Store } from '../store/store';

export interface OpenAgentGateDeps {
  store: Pick<Store, 'settings' | 'oauth' | 'counter'>;
  keys: KeyRing;
  metrics: Metrics | undefined;
  records: Records | undefined;
}

export function openAgentGate({ store, keys, metrics, records }: OpenAgentGateDeps): { gate: AgentGate; tokens: AgentTokens } {
  const tokens = new AgentTokens({ settings: store.settings, oauth: store.oauth, keys });
  const rates = new RateLimits(store);
  const gate = new AgentGate(keys, tokens, rates);
  if (metrics) rates.onLimited(() => metrics.rateLimited());
  if (records) gate.onRefused((keyId, code) => records.refused(keyId, code));
  return { gate, tokens };
}
