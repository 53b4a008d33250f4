/**
 * Circles of imports: groups of files in which each file imports every other one, directly or through others.
 * Source: strongly connected components, Tarjan 1972.
 */
export function circlesIn(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  /** File -> its place in the order of visits. */
  const order = new Map<string, number>();
  const open: string[] = [];
  /** Returns the earliest open file that `file` reaches. */
  const visit = (file: string): number => {
    const place = order.size;
    order.set(file, place);
    open.push(file);
    let earliest = place;
    for (const imported of importsOf.get(file) ?? []) {
      if (!order.has(imported)) earliest = Math.min(earliest, visit(imported));
      else if (open.includes(imported)) earliest = Math.min(earliest, order.get(imported) ?? place);
    }
    if (earliest === place) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1 || importsOf.get(file)?.includes(file)) circles.push(group.sort());
    }
    return earliest;
  };
  for (const file of importsOf.keys()) if (!order.has(file)) visit(file);
  return circles;
}
