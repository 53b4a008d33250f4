/**
 * Merges the pieces of a streamed message, including unknown members.
 *
 * Shape:  texts are concatenated, except names, ids and signatures, which are sent whole; objects are merged; array elements with the same
 *         `index` are one element, unless their ids or types differ (some servers give several calls the same index); null is ignored.
 */
const WHOLE: ReadonlySet<string> = new Set(['id', 'type', 'role', 'name', 'format', 'signature', 'thought_signature']);

type Piece = Record<string, unknown>;

export function mergeDelta(target: Piece, delta: Piece): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === '__proto__') continue;
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    target[name] = merged(name, before, value);
  }
}

function merged(name: string, before: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return before ?? null;
  if (typeof value === 'string') {
    if (typeof before !== 'string') return value;
    return WHOLE.has(name) ? value || before : before + value;
  }
  if (Array.isArray(value)) {
    const list: unknown[] = Array.isArray(before) ? before : [];
    for (const element of value) addElement(list, element);
    return list;
  }
  if (!isPiece(value)) return value;
  const object = isPiece(before) ? before : {};
  mergeDelta(object, value);
  return object;
}

function addElement(list: unknown[], element: unknown): void {
  const slot = isPiece(element) ? list.findLast((other) => isPiece(other) && continues(other, element)) : undefined;
  if (slot && isPiece(element)) mergeDelta(slot as Piece, element);
  else list.push(isPiece(element) ? merged('', undefined, element) : element);
}

function continues(before: Piece, piece: Piece): boolean {
  if (typeof piece.index !== 'number' || piece.index !== before.index) return false;
  return ['id', 'type'].every((name) => !piece[name] || !before[name] || piece[name] === before[name]);
}

function isPiece(value: unknown): value is Piece {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
