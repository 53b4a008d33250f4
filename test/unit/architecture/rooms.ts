/**
 * The rooms of the repository, lowest first, and which rooms each may import: only rooms of lines above its own, so that imports run one way.
 * A room is a folder with everything below it, or one file. ARCHITECTURE.md lists the contents of each.
 */
const SERVICE_ROOMS: Record<string, string> = {
  lib: 'package protocol',
  markdown: '',
  snippets: '',
  sandbox: 'protocol lib',
  payload: 'protocol lib',
  store: 'protocol lib',
  bus: 'protocol lib',
  audit: 'protocol store',
  rules: 'protocol lib payload store',
  keys: 'protocol lib store audit rules',
  catalog: 'protocol lib payload store',
  payments: 'protocol lib store',
  connections: 'protocol lib payload store audit keys catalog',
  approvals: 'protocol lib payload store audit rules keys catalog',
  hub: 'protocol lib store catalog',
  cluster: 'protocol lib bus hub',
  searches: 'cluster',
  learning: 'protocol lib payload store catalog searches',
  embeddings: 'protocol lib store catalog',
  calls: 'protocol lib payload store rules keys catalog connections approvals hub cluster searches',
  runs: 'protocol lib payload sandbox store keys catalog cluster calls',
  sessions: 'protocol lib store searches calls',
  records: 'protocol lib payload store catalog hub cluster searches calls sessions',
  'catalogue-pages': 'protocol lib markdown snippets payload store catalog records',
  attention: 'protocol lib store keys catalog hub cluster records',
  metrics: 'protocol store bus hub calls',
  tracing: 'protocol lib calls',
  accounts: 'protocol lib store audit keys',
  mcp: 'protocol node-version package svc-sdk adapters lib keys cluster calls',
  oauth: 'protocol lib payload store audit keys',
  http: 'protocol node-version lib markdown store payments audit rules keys catalog connections approvals hub cluster searches calls runs sessions records attention catalogue-pages accounts oauth mcp',
  lifecycle:
    'protocol lib sandbox store bus audit rules keys catalog payments connections approvals hub cluster searches learning embeddings calls runs records attention metrics tracing accounts oauth mcp http',
  'service.ts':
    'protocol lib store bus rules catalog payments connections hub learning embeddings attention metrics tracing accounts mcp http lifecycle',
  'index.ts': 'protocol lib store bus keys catalog payments connections hub learning embeddings metrics accounts lifecycle service.ts',
};

const ROOMS_BELOW: Record<string, [folder: string, mayImport: string]> = {
  package: ['package.json', ''],
  protocol: ['src/protocol', ''],
  'node-version': ['src/node-version.ts', 'package'],
  'compile-cache': ['src/compile-cache.ts', ''],
  'scripted-model': ['service/scripted-model', 'protocol'],
  moved: ['src/moved', ''],
  tools: ['src/tools', 'protocol'],
  toolkit: ['src/toolkit', 'protocol package'],
  'svc-sdk': ['src/index.ts', 'protocol tools toolkit'],
  adapters: ['adapters', 'svc-sdk package'],
};

const AGENT_ROOMS: Record<string, [folder: string, mayImport: string]> = {
  'agent-lib': ['src/agent/lib', ''],
  'agent-chat': ['src/agent/chat', 'svc-sdk'],
  'agent-model': ['src/agent/model', 'protocol svc-sdk agent-lib agent-chat'],
  'agent-store': ['src/agent/store', 'svc-sdk agent-chat'],
  'agent-clients': ['src/agent/clients', 'protocol svc-sdk agent-lib agent-chat'],
  'agent-ai': ['src/agent/ai', 'protocol svc-sdk agent-chat agent-model'],
  'agent-ai-entry': ['src/agent/ai.ts', 'svc-sdk agent-chat agent-model agent-ai'],
  'agent-testing': ['src/agent/testing', 'svc-sdk agent-chat'],
  'agent-testing-entry': ['src/agent/testing.ts', 'agent-chat agent-testing'],
  agent: ['src/agent', 'protocol svc-sdk adapters agent-lib agent-chat agent-model agent-store'],
};

const ROOMS_ABOVE: Record<string, [folder: string, mayImport: string]> = {
  // Imports use the catalogue's linter and small parts of the service's lib, so that a preview has its findings without a service.
  import: ['service/import', 'package protocol lib tools toolkit svc-sdk catalog'],
  cli: ['src/cli', 'package protocol node-version compile-cache svc-sdk'],
  'service-cli': ['service/cli', 'protocol toolkit node-version compile-cache scripted-model svc-sdk cli index.ts import'],
  'tools-mcp': ['src/mcp', 'package protocol node-version compile-cache svc-sdk adapters'],
  // The types of http's declared routes only; a test of the built console ensures that no schema is included.
  console: ['service/console', 'protocol scripted-model tools markdown snippets payload catalog http'],
};

export interface Room {
  name: string;
  folder: string;
  mayImport: readonly string[];
}

export const ROOMS: readonly Room[] = Object.entries({
  ...ROOMS_BELOW,
  ...AGENT_ROOMS,
  ...Object.fromEntries(Object.entries(SERVICE_ROOMS).map(([name, mayImport]) => [name, [`service/src/${name}`, mayImport] as const])),
  ...ROOMS_ABOVE,
}).map(([name, [folder, mayImport]]) => ({ name, folder, mayImport: mayImport.split(' ').filter(Boolean) }));

export function roomOf(path: string): Room | undefined {
  return ROOMS.find(({ folder }) => path === folder || path.startsWith(`${folder}/`));
}
