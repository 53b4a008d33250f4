/** The parts that the snippets of all languages share. The console and the catalogue show them. */

/** The languages of the SDKs, in the order of the switch. */
export const SDK_LANGUAGES = { typescript: 'TypeScript', python: 'Python', rust: 'Rust' } as const;
export type SdkLanguage = keyof typeof SDK_LANGUAGES;

export interface ExampleCall {
  query: string;
  /** Absent if every action needs values that cannot be generated. */
  call?: { action: string; payload: Record<string, unknown> };
}

/** The call of the toolkit that the first step creates. */
export const weatherCall = (toolkit = 'weather'): ExampleCall => ({
  query: 'weather in a city',
  call: { action: `${toolkit}__today`, payload: { city: 'Rome' } },
});

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
  /** Links that do the same in a program. They hold no key: the person signs in. */
  links?: (url: string) => readonly { label: string; href: string }[];
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
