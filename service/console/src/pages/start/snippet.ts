import type { ExampleCall } from './example-call';

/** The languages of the SDKs, in the order of the switch. */
export const SDK_LANGUAGES = { typescript: 'TypeScript', python: 'Python', rust: 'Rust' } as const;
export type SdkLanguage = keyof typeof SDK_LANGUAGES;

export interface SnippetAbout {
  /** Name of the key. */
  name?: string | undefined;
  /** The example call, for texts that name an action. */
  example?: ExampleCall | undefined;
}

export interface Snippet {
  /** A snippet for the same purpose in another language has the same id. */
  id: string;
  label: string;
  /** Absent if the snippet is the same in every language. */
  sdk?: SdkLanguage;
  language: 'ts' | 'py' | 'rs' | 'json' | 'sh';
  /** Where to save the snippet. */
  note: string;
  install?: string;
  code: (url: string, key: string, about?: SnippetAbout) => string;
  run?: string;
}

export const QUESTION = 'What is the weather in Rome?';

/** The configuration of an MCP client that starts `svc-tools-mcp` by a command. */
export function mcpConfiguration(command: string, args: readonly string[], url: string, key: string): string {
  return json({ mcpServers: { svc: { command, args, env: { SVC_AGENT_API_KEY: key, SVC_BASE_URL: url } } } });
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** `Weather` for the key `weather`. */
export function toTitleCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
