/**
 * The providers with chat completions. Resolves a model id to a server.
 *
 * Shape:  an id is `provider/model`, split at the first slash: `openrouter/qwen/qwen3` is the model `qwen/qwen3` of `openrouter`.
 * Errors: ModelRequestError with status 400, so that the agent does not retry. No error holds a key.
 * Source: the providers' own pages, read in November 2026; `test/vectors/providers.json` has the same table.
 */
import { ModelRequestError } from './model-request-error';

interface Provider {
  baseUrl: string;
  /** Environment variable of the key; absent if the server needs none. */
  keyVariable?: string;
  /** True if the server refuses `stream_options`. Such a server counts the tokens of a stream anyway. */
  refusesStreamOptions?: true;
}

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keyVariable: 'ANTHROPIC_API_KEY' },
  google: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', keyVariable: 'GEMINI_API_KEY' },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', keyVariable: 'OPENROUTER_API_KEY' },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', keyVariable: 'GROQ_API_KEY' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', keyVariable: 'MISTRAL_API_KEY', refusesStreamOptions: true },
  deepseek: { baseUrl: 'https://api.deepseek.com', keyVariable: 'DEEPSEEK_API_KEY' },
  xai: { baseUrl: 'https://api.x.ai/v1', keyVariable: 'XAI_API_KEY' },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1' },
};

export interface ModelServer {
  /** The URL of the server's chat completions. */
  url: string;
  /** The model's name in the request. */
  model: string;
  keyVariable?: string | undefined;
  key?: string | undefined;
  takesStreamOptions: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const HOW = 'A model id is written provider/model, such as openai/gpt-5-mini. Set it with setModel or SVC_MODEL';

export function findModelServer(id: string, env: Environment): ModelServer {
  const slash = id.indexOf('/');
  const name = id.slice(0, Math.max(slash, 0));
  const model = id.slice(slash + 1);
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  const ownUrl = env.OPENAI_BASE_URL?.trim();
  if (id === '' || (provider && model === '')) throw refused(`The model id ${JSON.stringify(id)} names no model. ${HOW}.`);
  // The operator's own server may need no key.
  if (ownUrl && (!provider || name === 'openai')) {
    const [keyVariable, key] = ['OPENAI_API_KEY', readKey('OPENAI_API_KEY', env)];
    return { url: readOwnUrl(ownUrl), model: provider ? model : id, keyVariable, key, takesStreamOptions: true };
  }
  if (slash < 0)
    throw refused(`The model id ${JSON.stringify(id)} has no provider. ${HOW}, or set OPENAI_BASE_URL to a server of your own.`);
  if (!provider)
    throw refused(
      `The provider ${JSON.stringify(name)} is unknown. Known are ${Object.keys(PROVIDERS).join(', ')}. For another server with chat completions, set OPENAI_BASE_URL.`,
    );
  const { keyVariable, baseUrl, refusesStreamOptions } = provider;
  const key = keyVariable && readKey(keyVariable, env);
  if (keyVariable && !key) throw refused(`The model ${id} needs a key: set the environment variable ${keyVariable}.`);
  return { url: `${baseUrl}/chat/completions`, model, keyVariable, key, takesStreamOptions: !refusesStreamOptions };
}

function readKey(variable: string, env: Environment): string | undefined {
  const key = env[variable]?.trim();
  // The error of `fetch` for an invalid header contains the header.
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw refused(`${variable} has characters that a key cannot have. Copy the key again, as one line.`);
  return key || undefined;
}

function readOwnUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw refused('OPENAI_BASE_URL must be an http or https address without a password, such as http://127.0.0.1:8000/v1.');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url.href;
}

function refused(message: string): ModelRequestError {
  return new ModelRequestError(message, { status: 400 });
}
