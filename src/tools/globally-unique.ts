/**
 * Whether a tool call id can belong to one tool call only, ever. Such an id may name the call in its idempotency key; any other may not,
 * because today's `call_0` would get the stored answer of yesterday's.
 *
 * An id does not say who made it, so its last run of letters and digits must look random, in one of two ways:
 *
 * - hexadecimal, at least 16 digits: UUIDs with and without dashes, `chatcmpl-tool-<16 or 32>` of vLLM, `fc_<48>` of OpenAI's Responses
 * - capitals, small letters and digits mixed, at least 12: `call_<24>` of OpenAI, `toolu_01<22>` of Anthropic, 32 of llama.cpp
 *
 * Counters (`call_0`, `functions.get_weather:0` of Kimi, `call_4162774` of Gemini), names, dates and times are neither. Nine characters (Mistral,
 * written by the model itself) and eight (Ollama) are too few, and small letters with digits are too easily a name with numbers. An id of the right shape but is padded (`000000000001`) or counted (`a1B2c3D4e5F6`, as models invent it) is refused too.
 *
 * A random id that is refused here, a few in a hundred, gets a fresh key: its call is still retried safely, only not across processes.
 */
const UUID_AT_END = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const TOKEN_AT_END = /[0-9A-Za-z]+$/;
/** More characters add no evidence, and an id of a megabyte should not cost time. */
const MAX_TOKEN_CHARS = 64;

export function isGloballyUnique(toolCallId: string): boolean {
  const end = toolCallId.slice(-MAX_TOKEN_CHARS);
  const token = (UUID_AT_END.exec(end) ?? TOKEN_AT_END.exec(end))?.[0].replaceAll('-', '') ?? '';
  const unspeakableNeeded = PROVIDER_FORMAT.test(end) ? 2 : 4;
  return (isRandomHex(token) || isRandomMixedCase(token, unspeakableNeeded)) && !isPadded(token) && !isCounted(token);
}

/** Exactly the format of a provider: a match is rarely a coincidence, so weaker randomness is enough. */
const PROVIDER_FORMAT = /^(?:call_[0-9A-Za-z]{24}|toolu_(?:[a-z]+_)?01[0-9A-Za-z]{22})$/;

function isRandomHex(token: string): boolean {
  if (!/^(?:[0-9a-f]{16,}|[0-9A-F]{16,})$/.test(token)) return false;
  // Names rarely alternate between letters and digits; 16 random digits do so 7 times on average.
  const changes = token.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0;
  return changes >= 4 && new Set(token).size >= 7;
}

/** Split into words, random text has many unpronounceable pieces (`Kq`, `Lm`, `xT`); a name such as `getWeatherV2` has few. */
function isRandomMixedCase(token: string, unspeakableNeeded: number): boolean {
  if (token.length < 12 || !/[a-z]/.test(token) || !/[A-Z]/.test(token) || !/\d/.test(token)) return false;
  const pieces = token.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return pieces.filter((piece) => !/[aeiouy]/i.test(piece)).length >= unspeakableNeeded;
}

function isPadded(token: string): boolean {
  return /(.)\1{3}/.test(token);
}

/** Five digits, or five letters, in ascending order, with any characters in between. */
function isCounted(token: string): boolean {
  return [token.replace(/\D/g, ''), token.replace(/\d/g, '').toLowerCase()].some((characters) => {
    let inOrder = 1;
    for (let index = 1; index < characters.length; index++) {
      inOrder = characters.charCodeAt(index) === characters.charCodeAt(index - 1) + 1 ? inOrder + 1 : 1;
      if (inOrder === 5) return true;
    }
    return false;
  });
}
