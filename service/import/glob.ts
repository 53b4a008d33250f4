/**
 * Globs of filters: `*` matches any text within one part of a path, `**` any text, and `/**` at the end also nothing. Case is ignored.
 *
 * A regular expression would try every split of a text between several `**`. This reads the text once for each piece of the glob.
 */
type Piece = { kind: 'text'; text: string } | { kind: 'part' | 'any' | 'below' };

/** @param star scope of `*`: `part` ends at a slash, `any` does not */
export function readGlob(glob: string, star: 'part' | 'any'): (text: string) => boolean {
  const pieces = glob
    .toLowerCase()
    .split(/(\/\*\*$|\*+)/)
    .filter((text) => text !== '')
    .map((text): Piece => {
      if (text === '/**') return { kind: 'below' };
      if (text === '*') return { kind: star };
      return text.startsWith('*') ? { kind: 'any' } : { kind: 'text', text };
    });
  return (text) => {
    const lower = text.toLowerCase();
    let places = new Uint8Array(lower.length + 1).fill(1, 0, 1);
    for (const piece of pieces) places = endsOf(piece, places, lower);
    return places[lower.length] === 1;
  };
}

/** The possible ends of the piece: 1 at such a position, 0 elsewhere. */
function endsOf(piece: Piece, starts: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(starts.length);
  if (piece.kind === 'text') {
    for (let at = 0; at + piece.text.length < starts.length; at++) {
      if (starts[at] === 1 && text.startsWith(piece.text, at)) ends[at + piece.text.length] = 1;
    }
    return ends;
  }
  let isInside = false;
  for (let at = 0; at < starts.length; at++) {
    if (piece.kind === 'below') {
      isInside ||= starts[at] === 1 && text[at] === '/';
      if (isInside || starts[at] === 1) ends[at] = 1;
    } else {
      if (piece.kind === 'part' && text[at - 1] === '/') isInside = false;
      isInside ||= starts[at] === 1;
      if (isInside) ends[at] = 1;
    }
  }
  return ends;
}
