/**
 * Detects the refusal of a conversation that is too long for the model.
 *
 * Source: the providers' answers, as collected in `packages/ai/src/utils/overflow.ts` of badlogic/pi-mono and in
 *         `packages/llm/src/provider-error.ts` of opencode.
 */
const WORDS: readonly RegExp[] = [
  /context[_ ]length[_ ]exceeded/i, // the code of OpenAI, Groq and most servers that copy it
  /exceeds? the (?:model's )?context window/i, // OpenAI
  /maximum context length/i, // OpenAI, OpenRouter, DeepSeek, Mistral, vLLM
  /prompt is too long/i, // Anthropic
  /exceed context limit/i, // Anthropic, with max_tokens
  /request_too_large/i, // Anthropic, status 413
  /input token count.*exceeds the maximum/i, // Google
  /maximum prompt length is \d/i, // xAI
  /reduce the length of the messages/i, // Groq
  /input is too long for requested model/i, // Bedrock
  /exceeds the available context size/i, // llama.cpp
  /greater than the context length/i, // LM Studio
  /prompt too long; exceeded/i, // Ollama
];

/** Most servers answer 400, Anthropic 413, Mistral 422. */
export function isTooLong(status: number | undefined, text: string): boolean {
  return (status === 400 || status === 413 || status === 422) && WORDS.some((words) => words.test(text));
}
