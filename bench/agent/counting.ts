/**
 * A toolkit and a model that count. A message `count 2,1 as a7` makes the model call `counting__count` twice at once, then once more, and then answer
 * `Counted a7`. Each call has a label of its own: `a7/<step>/<index>`. `destroy 2,1 as a7` calls an action that needs approval.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Toolkit } from 'svc-sdk';
import type { Conversation } from '../../service/scripted-model/conversation.ts';
import type { Speech } from '../../service/scripted-model/speech.ts';
import { Gates } from './gates.ts';

/** The name that `counting__count` begins with. */
export const COUNTING_TOOLKIT = 'counting';
const MESSAGE = /(?<action>count|destroy) (?<widths>\d+(?:,\d+)*) as (?<label>\S+)$/;

interface Counted {
  /** Label of a call -> how often its handler began. */
  runs: ReadonlyMap<string, number>;
  /** A handler stays in the gate `run <label>`. */
  gates: Gates;
  /** The most handlers at a time since the start. */
  readonly mostAtOnce: number;
  define(toolkit: Toolkit): void;
}

/** @param delayMs how long a handler takes */
export function countRuns(delayMs: () => number = () => 0): Counted {
  const runs = new Map<string, number>();
  const gates = new Gates();
  let running = 0;
  let mostAtOnce = 0;
  const count = async (label: string) => {
    runs.set(label, (runs.get(label) ?? 0) + 1);
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await gates.pass(`run ${label}`);
    const ms = delayMs();
    if (ms > 0) await sleep(ms);
    running -= 1;
    return { label, run: runs.get(label) };
  };
  return {
    runs,
    gates,
    get mostAtOnce() {
      return mostAtOnce;
    },
    define(toolkit) {
      const payloadDescription = { label: { type: 'string', required: true } } as const;
      toolkit.action({ action: 'count', actionDescription: 'Counts a label', payloadDescription }, (_ctx, { label }) => count(`${label}`));
      toolkit.action(
        { action: 'destroy', actionDescription: 'Destroys a label', payloadDescription, annotations: { destructive: true } },
        (_ctx, { label }) => count(`${label}`),
      );
    },
  };
}

/** @returns undefined for a message of another kind */
export function speakCounting({ question, turns }: Conversation): Speech | undefined {
  const { action, widths = '', label } = MESSAGE.exec(question)?.groups ?? {};
  if (action === undefined) return undefined;
  const failed = turns.at(-1)?.find(({ output }) => !isCount(output));
  if (failed) return { content: `Failed ${label}: ${JSON.stringify(failed.output)}` };
  const width = Number(widths.split(',')[turns.length] ?? 0);
  if (width === 0) return { content: `Counted ${label}` };
  const calls = Array.from({ length: width }, (_, index) => ({
    // The same ids in every step: a call is known by its place.
    id: `call_${index}`,
    name: 'invoke_service',
    arguments: { action: `${COUNTING_TOOLKIT}__${action}`, payload: { label: `${label}/${turns.length}/${index}` } },
  }));
  return { calls };
}

/** The label of the message that a conversation is about. */
export function labelOf({ question }: Conversation): string {
  return MESSAGE.exec(question)?.groups?.label ?? '';
}

function isCount(output: unknown): boolean {
  return typeof output === 'object' && output !== null && 'run' in output;
}
