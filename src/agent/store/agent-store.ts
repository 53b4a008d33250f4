/** The store of an agent: settings, cursors, turns and their messages. */
import { AgentDatabase } from './agent-database';
import { AgentSettings } from './agent-settings';
import { ClientRows } from './client-rows';
import { TurnRows } from './turn-rows';

export class AgentStore {
  readonly settings: AgentSettings;
  readonly clients: ClientRows;
  readonly turns: TurnRows;
  readonly #database: AgentDatabase;

  constructor(path: string, agentId: string) {
    this.#database = new AgentDatabase(path);
    this.settings = new AgentSettings(this.#database, agentId);
    this.clients = new ClientRows(this.#database, agentId);
    this.turns = new TurnRows(this.#database, agentId);
  }

  close(): void {
    this.#database.close();
  }
}
