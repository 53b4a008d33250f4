/** The scripted model with the counting script. It checks every conversation and can be held. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ScriptedModel, type Speaker, startScriptedModel } from '../../service/scripted-model/server.ts';
import { labelOf, speakCounting } from './counting.ts';
import { Gates } from './gates.ts';

interface CountingModel extends ScriptedModel {
  /** A request stays in the gate `ask <label>/<step>`. */
  gates: Gates;
  /** The faults of conversations. */
  invalid: readonly string[];
  readonly requests: number;
}

export interface CountingModelOptions {
  delayMs?: () => number;
  /** Answers all other messages. */
  otherwise?: Speaker;
  onRequest?: (body: string) => void;
}

export async function startCountingModel(options: CountingModelOptions = {}): Promise<CountingModel> {
  const { delayMs = () => 0, otherwise = () => ({ content: 'Hello' }), onRequest = () => {} } = options;
  const gates = new Gates();
  const invalid: string[] = [];
  let requests = 0;
  const model = await startScriptedModel({
    onRequest: (body) => {
      requests += 1;
      const { messages } = JSON.parse(body) as { messages: SeenMessage[] };
      const found = findInvalid(messages);
      if (found !== undefined) invalid.push(found);
      onRequest(body);
    },
    speak: async (conversation) => {
      const ms = delayMs();
      if (ms > 0) await sleep(ms);
      await gates.pass(`ask ${labelOf(conversation)}/${conversation.turns.length}`);
      return speakCounting(conversation) ?? otherwise(conversation);
    },
  });
  return {
    ...model,
    gates,
    invalid,
    get requests() {
      return requests;
    },
  };
}

interface SeenMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

/** The reason why the server of a model would refuse the messages: a call without its result, a result without its call, an end that is not a person's or a tool's message. */
export function findInvalid(messages: readonly SeenMessage[]): string | undefined {
  let open: string[] = [];
  for (const [index, { role, tool_calls = [], tool_call_id = '', ...rest }] of messages.entries()) {
    const ours = Object.keys(rest).find((name) => name.startsWith('svc_'));
    if (ours) return `Message ${index} has the member ${ours}`;
    if (role === 'tool') {
      if (!open.includes(tool_call_id)) return `Message ${index} is the result of the unknown call ${tool_call_id}`;
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open.length > 0) return `Message ${index} comes before the results of ${open.join(', ')}`;
    open = tool_calls.map(({ id }) => id);
  }
  if (open.length > 0) return `The calls ${open.join(', ')} have no result`;
  const last = messages.at(-1)?.role;
  return last === 'user' || last === 'tool' ? undefined : `The last message is one of the ${last}`;
}
