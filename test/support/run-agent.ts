/** A running agent on a service, with a model that the test scripts. */
import { join } from 'node:path';
import { Agent, type AgentEvent, type AgentOptions, type AskModel, type BaseClient, type Message } from 'svc-sdk/agent';
import { onTestFinished } from 'vitest';
import { makeFolder } from './folder';
import type { TestService } from './service';

export interface RunningAgent {
  agent: Agent;
  events: AgentEvent[];
  /** Rejects when `run()` does. */
  running: Promise<void>;
  stop(): Promise<void>;
}

export interface RunAgentOptions extends AgentOptions {
  clients: BaseClient[];
  /** Default: the model of `SVC_MODEL`, by chat completions. */
  model?: AskModel;
}

/** A path for a store, in a folder that is removed when the test ends. */
export function storePath(): string {
  const folder = makeFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, 'agent.db');
}

/** Stopped when the test ends. */
export async function runAgent(service: TestService, options: RunAgentOptions): Promise<RunningAgent> {
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const events: AgentEvent[] = [];
  const agent = new Agent({
    apiKey: key,
    baseUrl: service.url,
    store: options.store ?? storePath(),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const running = agent.run();
  running.catch(() => {});
  const stop = () => agent.stop();
  onTestFinished(stop);
  return { agent, events, running, stop };
}

/** A message of the model that calls actions. */
export function callActions(...calls: [action: string, payload: object][]): Message {
  return {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(([action, payload], index) => ({
      id: `call_${index}`,
      type: 'function',
      function: { name: 'invoke_service', arguments: JSON.stringify({ action, payload }) },
    })),
  };
}

export function say(content: string): Message {
  return { role: 'assistant', content };
}

/** The tools' messages of the newest step. */
export function newestResults(messages: readonly Message[]): string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
}
