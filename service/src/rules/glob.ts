/** Tests texts with a pattern whose `*` matches any characters. Linear in the text. */
export function compileGlob(glob: string): (text: string) => boolean {
  const [start = '', ...rest] = glob.split('*');
  const end = rest.pop();
  if (end === undefined) return (text) => text === start;
  return (text) => {
    if (!text.startsWith(start)) return false;
    let from = start.length;
    for (const part of rest) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return text.length - end.length >= from && text.endsWith(end);
  };
}
