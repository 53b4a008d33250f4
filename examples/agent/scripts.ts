/** More scripts for the scripted model: those of the agent's demo. */
import { answer, invoke, lastResult, type Script, search } from '../../service/scripted-model/script.ts';

const TIME = /time is it in (?<city>[A-Z][\w ]+?)\?/;
const WRITE = /^Note: (?<text>.+)$/;

export const AGENT_SCRIPTS: Script[] = [
  {
    about: TIME,
    steps: [
      search('current time in a city'),
      invoke(/current_time/, ({ question }) => [[/zone/i, TIME.exec(question)?.groups?.city]]),
      answer((conversation) => {
        const { time, weekday } = lastResult<{ time: string; weekday: string }>(conversation);
        return `It is ${time.slice(11, 16)} on ${weekday}.`;
      }),
    ],
  },
  {
    about: WRITE,
    steps: [
      search('write a note'),
      invoke(/write_note/, ({ question }) => [[/text/i, WRITE.exec(question)?.groups?.text]]),
      answer((conversation) => `It is written. Notes: ${lastResult<{ notes: number }>(conversation).notes}.`),
    ],
  },
  {
    about: /[Dd]elete all my notes/,
    steps: [
      search('delete all notes'),
      invoke(/delete_all_notes/, () => []),
      answer((conversation) => `Deleted notes: ${lastResult<{ deleted: number }>(conversation).deleted}.`),
    ],
  },
  {
    about: /bar chart/,
    steps: [
      search('draw numbers as a bar chart'),
      invoke(/bar_chart/, ({ question }) => [[/bars/i, barsIn(question)]]),
      answer((conversation) => `Here is the chart, with ${lastResult<{ result: { bars: number } }>(conversation).result.bars} bars.`),
    ],
  },
];

/** `apples 3, pears 5`. */
function barsIn(question: string): { label: string; value: number }[] {
  return [...question.matchAll(/(\w+) (\d+)/g)].map(([, label = '', value]) => ({ label, value: Number(value) }));
}
