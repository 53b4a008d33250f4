import { expect, onTestFinished, test, vi } from 'vitest';
import { BUILT_IN_PROMPTS } from '../../src/agent/turns/built-in-prompts';
import { fillPrompt } from '../../src/agent/turns/prompt-texts';
import { vector } from '../support/vectors';

interface Case {
  text: string;
  now?: string;
  agent_id?: string;
  client_id?: string;
  chat_id?: string;
  filled: string;
}

const { prompts, cases } = vector<{ prompts: object; cases: Case[] }>('prompts');

test('the built-in prompts', () => {
  expect(BUILT_IN_PROMPTS).toEqual(prompts);
});

test.each(cases)('$text', ({ text, now, agent_id: agentId = '', client_id: clientId = '', chat_id: chatId = '', filled }) => {
  if (now !== undefined) {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    onTestFinished(() => void vi.useRealTimers());
  }
  expect(fillPrompt(text, { agentId, clientId, chatId })).toBe(filled);
});
