/**
 * A paid action: proofreading, charged by the words that were read.
 *
 *   SVC_TOOLKIT_API_KEY=… node examples/toolkits/proofreading.ts
 *
 * An agent needs a key with a budget: `svc-service keys create --kind agent --name me --budget-per-call 0.10 --budget-per-day 5`.
 */
import { Toolkit } from 'svc-sdk';
import { z } from 'zod';
import { findMistakes } from './proofreading/mistakes.ts';
import { reportLoss, serve } from './shared/serve.ts';

/** 0.001 for each 100 words that were begun. */
const WORDS = 100;
const MAX_WORDS = 5_000;

const toolkit = new Toolkit({
  onStatus: reportLoss,
  onWarning: ({ invocationId, message }) => console.error(`${invocationId}: ${message}`),
});

toolkit.action(
  {
    action: 'proofread',
    actionDescription:
      'Finds doubled words and wrong spaces in a text: gives back each mistake with its place. ' +
      'Costs 0.001 for each 100 words, and nothing for a text without mistakes.',
    payloadDescription: z.object({ text: z.string().max(100_000).describe('The text, at most 5000 words') }),
    annotations: { readOnly: true },
    // The most that one call costs: 5000 words.
    payment: { amount: '0.05' },
  },
  (ctx, { text }) => {
    const words = text.split(/\s+/).filter(Boolean).length;
    // A call that fails costs nothing.
    if (words > MAX_WORDS) return ctx.error('TOO_LONG', `The text has ${words} words; send at most ${MAX_WORDS} at a time`);
    const mistakes = findMistakes(text);
    ctx.charge(mistakes.length === 0 ? '0' : (Math.ceil(words / WORDS) / 1_000).toFixed(3));
    return ctx.result({ words, mistakes });
  },
);

await serve(toolkit, { name: 'Proofreading', description: 'Finds mistakes in texts' });
