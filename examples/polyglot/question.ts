/** A question that needs all three toolkits, and the script of the scripted model for it. */
import type { Conversation } from '../../service/scripted-model/conversation.ts';
import { answer, invoke, type Script, search } from '../../service/scripted-model/script.ts';
import type { Question } from '../demo/questions.ts';

const TRIP = /(?<nights>\d+) nights in (?<city>[A-Z]\w+) at (?<price>\d+) (?<from>[A-Z]{3}) .*in (?<to>[A-Z]{3})/;

export const QUESTION: Question = {
  text: 'I spend 3 nights in Rome at 120 EUR each. How much is that in USD, and how warm will it be?',
  fact: /\b417\.6\d? USD.*\b20 °C/,
};

export const SCRIPT: Script = {
  about: TRIP,
  steps: [
    search('exchange rate between two currencies', 'weather forecast for a city', 'evaluate a formula'),
    invoke(/exchange.rate/i, ({ question }) => {
      const { from, to } = groups(question);
      return [
        [/^from/i, from],
        [/^to/i, to],
      ];
    }),
    invoke(/forecast/i, ({ question }) => [[/city/i, groups(question).city]]),
    invoke(/formula/i, (conversation) => {
      const { nights, price } = groups(conversation.question);
      return [[/formula|expression/i, `${nights} * ${price} * ${resultOf<{ rate: number }>(conversation, /exchange/).rate}`]];
    }),
    answer((conversation) => {
      const { city, to } = groups(conversation.question);
      const { value } = resultOf<{ value: number }>(conversation, /formula/);
      // There is a file beside the result.
      const [day] = resultOf<{ result: { celsius: number; sky: string }[] }>(conversation, /forecast/).result;
      return `The nights cost ${value.toFixed(2)} ${to}. In ${city} it will be ${day?.celsius} °C, and the sky ${day?.sky}.`;
    }),
  ],
};

function groups(question: string): Record<string, string> {
  return { ...TRIP.exec(question)?.groups };
}

/** The result of the call whose action has this in its id. */
function resultOf<Result>({ turns }: Conversation, action: RegExp): Result {
  return turns.flat().find(({ input }) => action.test(String(input.action)))?.output as Result;
}
