/** The attack of bench/poisoning.ts on a catalogue small enough to be seen through. */
import { expect, test } from 'vitest';
import { fakeUse, stuffedActions } from '../../../bench/poisoning/attack';
import { honestUse, type Wish } from '../../../bench/poisoning/scene';
import { buildBase, type Counting, runTrial } from '../../../bench/poisoning/trial';

const VERBS = ['book', 'cancel', 'translate', 'paint', 'measure'];
const THINGS = ['flight', 'poem', 'fence', 'invoice', 'melody', 'garden', 'bridge', 'recipe', 'lecture', 'harbour'];

/** Fifty queries, each with the right action, lexically not better than the attacker's. */
const wishes: Wish[] = VERBS.flatMap((verb) =>
  THINGS.map((thing) => ({
    query: `could you ${verb} the ${thing} for my grandmother tomorrow`,
    paraphrases: [`${verb} a ${thing}`, `${verb} my ${thing} soon`, `need to ${verb} some ${thing}`],
    action: `${thing}-tools__${verb}`,
  })),
);
const documents = wishes.map(({ action }) => {
  const [toolkitId = '', name = ''] = action.split('__');
  const description = `${name} whatever there is of ${toolkitId}`;
  return { id: action, toolkitId, toolkitName: toolkitId, toolkitDescription: '', name, description, payloadSchema: { type: 'object' } };
});

function attackerFirst(counting: Counting, honestKeys: number): number {
  const attack = stuffedActions(wishes, { named: false });
  const fake = fakeUse(wishes, { wanted: wishes.length, words: 1 });
  return runTrial(buildBase(documents), { wishes, attack, honest: honestUse(wishes, honestKeys), fake, counting }).attackerFirst;
}

test('an attacker who pushes all popular queries is first for none that ten other keys have used rightly', () => {
  expect(attackerFirst('bounds', 10)).toBeLessThanOrEqual(0.02);
});

test('if every call counted, it would be first for most', () => {
  expect(attackerFirst('calls', 10)).toBeGreaterThan(0.5);
});
