/**
 * The decisions of the scripted model. A script belongs to a kind of question and plays one step per turn. A step reads the real results of the
 * tools and returns a text, or the missing part.
 */

import { isObject } from '../../src/protocol/json-object.ts';
import type { Conversation, Exchange, OfferedTool } from './conversation.ts';
import type { Speech } from './speech.ts';

export interface Script {
  about: RegExp;
  steps: Step[];
}

export interface Step {
  /** The missing parts of this step, as a sentence; undefined if the step is complete. */
  expect(conversation: Conversation): string | undefined;
  say(conversation: Conversation): Speech;
}

/** The next turn: the next step of the question's script, or the reason why there is none. */
export function play(scripts: Script[], conversation: Conversation): Speech {
  const script = scripts.find(({ about }) => about.test(conversation.question));
  const step = script?.steps[conversation.turns.length];
  if (!step) return { content: 'I am a script and not a model, and nothing is written for this.' };
  const missing = failureIn(conversation.turns.at(-1) ?? []) ?? step.expect(conversation);
  return missing === undefined ? step.say(conversation) : { content: missing };
}

/** The service's search, and OpenAI's, which adds each found action as a separate tool. */
const SEARCHES = ['search_services', 'tool_search'];
const RUN_CODE = 'run_code';

/** Searches for actions; several queries are several tool calls in one message. */
export function search(...queries: string[]): Step {
  const find = ({ offered }: Conversation) => offered.find(({ name }) => SEARCHES.includes(name));
  return {
    expect: (conversation) => (find(conversation) ? undefined : 'I have no tool to search with, so I cannot answer that.'),
    say: (conversation) => ({ calls: queries.map((query) => ({ name: String(find(conversation)?.name), arguments: { query } })) }),
  };
}

/** The values for properties of a payload, by name, else by description. */
export type Facts = [meaning: RegExp, value: unknown][];

/** Invokes the best fitting action found so far, with a payload for its schema; calls it directly if it is a separate tool. */
export function invoke(wanted: RegExp, facts: (conversation: Conversation) => Facts): Step {
  const plan = (conversation: Conversation) => {
    const found = foundActions(conversation).find(({ action, description }) => wanted.test(`${action} ${description}`));
    return found && { found, payload: fill(found, facts(conversation)) };
  };
  return {
    expect(conversation) {
      const planned = plan(conversation);
      if (!planned) return 'I searched and found no action that fits, so I cannot answer that.';
      const { found, payload } = planned;
      const unknown = found.payloadSchema.required?.find((name) => !Object.hasOwn(payload, name));
      return unknown && `I found ${found.action}, but the question does not tell me its "${unknown}".`;
    },
    say(conversation) {
      const { found, payload = {} } = plan(conversation) ?? {};
      const direct = conversation.offered.find(({ name }) => name === found?.action);
      if (direct) return { calls: [{ name: direct.name, arguments: payload }] };
      return { calls: [{ name: 'invoke_service', arguments: { action: found?.action, payload } }] };
    },
  };
}

/** Runs a program about the best fitting action found so far, where `run_code` is offered. */
export function runProgram(wanted: RegExp, write: (action: string, conversation: Conversation) => string): Step {
  const found = (conversation: Conversation) =>
    foundActions(conversation).find(({ action, description }) => wanted.test(`${action} ${description}`));
  return {
    expect(conversation) {
      if (!conversation.offered.some(({ name }) => name === RUN_CODE)) return 'I have no tool that runs programs, so I cannot answer that.';
      return found(conversation) ? undefined : 'I searched and found no action that fits, so I cannot answer that.';
    },
    say(conversation) {
      const code = write(String(found(conversation)?.action).replace('__', '.'), conversation);
      return { calls: [{ name: RUN_CODE, arguments: { code } }] };
    },
  };
}

/** Returns a sentence made from the results. */
export function answer(sentence: (conversation: Conversation) => string): Step {
  return { expect: () => undefined, say: (conversation) => ({ content: sentence(conversation) }) };
}

/** The result of the last action. */
export function lastResult<Result>({ turns }: Conversation): Result {
  return turns.flat().findLast(({ tool }) => !SEARCHES.includes(tool))?.output as Result;
}

interface FoundAction {
  action: string;
  description: string;
  payloadSchema: { properties?: Record<string, { description?: string }>; required?: string[] };
}

function foundActions({ turns, offered }: Conversation): FoundAction[] {
  const searches = turns.flat().filter(({ tool }) => tool === 'search_services');
  const tools = offered.filter(({ name }) => !SEARCHES.includes(name) && name !== 'invoke_service' && name !== RUN_CODE);
  return [...tools.map(toFoundAction), ...searches.flatMap(({ output }) => (output as { actions?: FoundAction[] }).actions ?? [])];
}

function toFoundAction({ name, description = '', parameters }: OfferedTool): FoundAction {
  return { action: name, description, payloadSchema: isObject(parameters) ? parameters : {} };
}

function fill({ payloadSchema: { properties = {} } }: FoundAction, facts: Facts): Record<string, unknown> {
  const entries = facts.flatMap(([meaning, value]) => {
    const names = Object.keys(properties);
    const name = names.find((text) => meaning.test(text)) ?? names.find((text) => meaning.test(properties[text]?.description ?? ''));
    return name === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** A failed tool returns a code and a sentence. */
function failureIn(exchanges: Exchange[]): string | undefined {
  for (const { tool, output } of exchanges) {
    const error = isObject(output) ? output.error : undefined;
    if (isObject(error)) return `I cannot answer that: ${tool} failed with ${error.code}: ${error.message}`;
  }
  return undefined;
}
