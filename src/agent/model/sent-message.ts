/** The two forms of a message: as a model's server takes it, and as it is stored. */
import type { Message } from '../chat/message';

/** The provider in a model id; the whole id if it has none. */
function providerOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/**
 * Leaves out our own members, and those that another provider added: some servers refuse a request for one that they do not know
 * (Mistral for `reasoning_content`), and a signature is worth nothing elsewhere.
 */
export function toSentMessage(message: Message, model: string): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !name.startsWith('svc_')));
  const { svc_model: origin } = message;
  if (typeof origin !== 'string' || providerOf(origin) === providerOf(model)) return kept;
  const { role, content = null, tool_calls: calls } = message;
  return { role, content, ...(calls && { tool_calls: calls.map(({ id, type, function: called }) => ({ id, type, function: called })) }) };
}

/** Adds the model that made the message. Members of the server that look like ours are left out. */
export function toStoredMessage(message: Record<string, unknown>, model: string): Message {
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !name.startsWith('svc_')));
  return { ...kept, role: 'assistant', svc_model: model };
}
