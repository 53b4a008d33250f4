/** JSON as another program may write it: any space between the tokens, and line separators raw inside texts. */
import fc from 'fast-check';

const SPACES = ['', ' ', '\n', '\r', '\r\n', '\t', '\n\n', ' \r\n\r\n\t'];
const LETTERS = ['a', '\u2028', '\u2029', '\u0085', '\n', '\r', '"', '\\', '\u001b[31m', 'é', '\u{1f600}'];

const text = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 8 });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** A value with one of its texts. */
export const looseJson: fc.Arbitrary<{ value: unknown; json: string }> = fc
  .tuple(value, fc.array(fc.constantFrom(...SPACES), { minLength: 1, maxLength: 6 }))
  .filter(([of]) => !JSON.stringify(of).includes('__proto__'))
  .map(([of, spaces]) => {
    let at = 0;
    const space = () => spaces[at++ % spaces.length] ?? '';
    const write = (part: unknown): string => {
      if (Array.isArray(part)) return `${space()}[${part.map(write).join(',')}${space()}]${space()}`;
      if (typeof part !== 'object' || part === null) return space() + JSON.stringify(part) + space();
      const members = Object.entries(part).map(([name, member]) => `${space()}${JSON.stringify(name)}${space()}:${write(member)}`);
      return `${space()}{${members.join(',')}${space()}}${space()}`;
    };
    return { value: of, json: write(of) };
  });
