/** Converts messages between the stored form and the form for a model's server. */
import type { Message } from '../chat/message';

/** The provider in a model id; the whole id if it has none. */
function providerOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/**
 * Leaves out our own members and members of another provider: some servers refuse unknown members (Mistral refuses `reasoning_content`),
 * and signatures are valid only at their provider.
 */
export function toSentMessage(message: Message, model: string): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !name.startsWith('svc_')));
  const { svc_model: origin } = message;
  if (typeof origin !== 'string' || providerOf(origin) === providerOf(model)) return kept;
  const { role, content = null, tool_calls: calls } = message;
  return { role, content, ...(calls && { tool_calls: calls.map(({ id, type, function: called }) => ({ id, type, function: called })) }) };
}

/** Adds the model that made the message. Removes the server's members that begin with `svc_`. */
export function toStoredMessage(message: Record<string, unknown>, model: string): Message {
  const kept = Object.fromEntries(Object.entries(message).filter(([name]) => !name.startsWith('svc_')));
  return { ...kept, role: 'assistant', svc_model: model };
}
