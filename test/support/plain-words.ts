/** The phrases that "Plain words" of CONTRIBUTING.md names, as patterns. */
import type { Passage } from './prose';

interface Rule {
  instead: string;
  found: RegExp;
  in?: Passage['kind'][];
}

const RULES: Rule[] = [
  { instead: '"Default: 10"', found: /\b(unless|until|if not|what(ever)? is not) told\b|\btold otherwise\b/i },
  { instead: '"is not a"', found: /(?<!\bthere )\b(is|are|was|were) no (?!longer|more|less|later|earlier|better|worse)\w+/i },
  { instead: '"its", "their"', found: /\bof (theirs|ours)\b/i },
  { instead: '"uses", "follows"', found: /\b(goes|going|go) by (?!itself)/i },
  { instead: '"notifies", "receives", "learns"', found: /\b(hears?|heard)\b/i },
  { instead: '"returns", "reports", "says", "shows"', found: /\b(tells|told)\b(?! apart)/i },
  { instead: '"is"', found: /\bstands\b/i },
  { instead: 'a named subject', found: /\b(whoever|whomever|that which)\b/i },
  { instead: '"no client", "a person", "unused"', found: /\b(nobody|somebody)\b/i },
  {
    instead: 'a named subject',
    found: /(?:^|[.;:!] )(?:Who|Whose|What|Whatever|Which)\b(?![^.;:!?]*\?)[^.;:!?]*/,
    in: ['text', 'comment', 'message', 'test name'],
  },
  { instead: 'a named subject', found: /^(who|what|whatever|which)\b.{0,30}/i, in: ['test name'] },
  {
    instead: 'the subject first',
    found: /^(Of|With|Without|For|From|By|At|In|On|To|Among|Beside|Besides|Beyond|Under|Against|Between|Into|Through) .{0,30}/,
    in: ['comment'],
  },
];

/** `line: phrase -> what to write instead`. */
export function roughPhrases(passages: Passage[]): string[] {
  return passages.flatMap(({ kind, line, text }) =>
    RULES.flatMap(({ instead, found, in: kinds }) => {
      if (kinds && !kinds.includes(kind)) return [];
      const [phrase] = found.exec(text) ?? [];
      return phrase === undefined ? [] : [`${line}: "${phrase.slice(0, 60)}", instead: ${instead}`];
    }),
  );
}
