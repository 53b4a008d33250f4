/** Fills the placeholders of a prompt: `{{date}}`, `{{agent_id}}`, `{{client_id}}`, `{{chat_id}}`. All other text stays unchanged. */
export interface PromptPlace {
  agentId: string;
  clientId: string;
  chatId: string;
}

export function fillPrompt(text: string, { agentId, clientId, chatId }: PromptPlace): string {
  const values: Record<string, string> = {
    date: new Date().toISOString().slice(0, 10),
    agent_id: agentId,
    client_id: clientId,
    chat_id: chatId,
  };
  return text.replace(/\{\{(date|agent_id|client_id|chat_id)\}\}/g, (_, name: string) => values[name] ?? '');
}
