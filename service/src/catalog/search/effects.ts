/**
 * The effect that a query requests, and the effect of an action: "show the pods" requests an action that only reads.
 *
 * Shape:  the query by its first word behind the courtesies, in English; the action by its annotations.
 */
import type { ActionAnnotations } from '#sdk/protocol/http';

/** `unknown`: an action without annotations, a query that begins with another word. */

export type Effect = 'unknown' | 'reads' | 'changes' | 'destroys';

const COURTESIES = wordsOf('please can could you i we want need to would like help me how do let');
/** "Get" is left out: people get what is there, and what has to be made first. */
export const VERBS: ReadonlyMap<string, Effect> = new Map([
  ...verbs(
    'reads',
    'show list find see view read look check count search fetch browse display which what who whose where when why whether',
  ),
  ...verbs(
    'changes',
    `add append apply approve archive assign attach book buy change close comment convert copy create do edit enable fill give grant hire import
     invite join label make mark merge move open order pay pin place plan post publish put record register remember rename rent reply replace
     reserve resize restart run save schedule send set share sign start stop submit subscribe tag transfer turn update upload write`,
  ),
  ...verbs('destroys', 'delete remove erase destroy drop purge wipe'),
]);
/** How well an action has the effect that the query requests. */
const FITS: Readonly<Record<Effect, Readonly<Record<Effect, number>>>> = {
  unknown: { unknown: 0, reads: 0, changes: 0, destroys: 0 },
  reads: { unknown: 0.5, reads: 1, changes: 0, destroys: 0 },
  changes: { unknown: 1, reads: 0, changes: 1, destroys: 0.5 },
  destroys: { unknown: 0.5, reads: 0, changes: 0.5, destroys: 1 },
};

export function effectOfQuery(query: string): Effect {
  const words = query.toLowerCase().match(/\p{L}+/gu) ?? [];
  const first = words.find((word) => !COURTESIES.has(word));
  return (first !== undefined && VERBS.get(first)) || 'unknown';
}

export function effectOfAction({ readOnly, destructive, idempotent }: ActionAnnotations): Effect {
  if (readOnly) return 'reads';
  if (destructive) return 'destroys';
  return readOnly === false || destructive === false || idempotent ? 'changes' : 'unknown';
}

/** 0 to 1; equal for all actions when the query requests no effect. */
export function effectFit(asked: Effect, does: Effect): number {
  return FITS[asked][does];
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

function verbs(effect: Effect, text: string): [string, Effect][] {
  return [...wordsOf(text)].map((verb) => [verb, effect]);
}
