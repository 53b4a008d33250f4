/** Prompts and models by name, and the questions in the chats of approvers. */
import type { AgentDatabase } from './agent-database';

export type SettingKind = 'prompt' | 'model' | 'approval';

export class AgentSettings {
  readonly #database: AgentDatabase;
  readonly #agentId: string;

  constructor(database: AgentDatabase, agentId: string) {
    this.#database = database;
    this.#agentId = agentId;
  }

  all(kind: SettingKind): Record<string, string> {
    const rows = this.#database.all<{ name: string; value: string }>(
      'SELECT name, value FROM svc_setting WHERE agent_id = ? AND kind = ? ORDER BY name',
      this.#agentId,
      kind,
    );
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  }

  /** An empty value and null restore the built-in value. */
  set(kind: SettingKind, name: string, value: string | null): void {
    if (value) {
      this.#database.run(
        'INSERT INTO svc_setting (agent_id, kind, name, value) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        this.#agentId,
        kind,
        name,
        value,
      );
    } else this.#database.run('DELETE FROM svc_setting WHERE agent_id = ? AND kind = ? AND name = ?', this.#agentId, kind, name);
  }
}
