/** Rows of cells for people to read, within the width of a window. */
import { printable } from '../protocol/invisible-text';
import { type Line, oneLine, styled } from './line';
import { cutToWidth, padToWidth, textWidth } from './text-width';

export interface ColumnsOptions {
  /** Columns of the window. Default: no limit. */
  width?: number | undefined;
  /** Places of the columns whose cells may lose their end: prose, and nothing that is to be copied. */
  cut?: readonly number[] | undefined;
}

const GAP = '  ';
/** A cell is not cut shorter. */
const MIN_CELL = 8;

/** Rows side by side. They are wider than the window where only what may not be cut is left. */
export function columns(cells: readonly (readonly string[])[], options: ColumnsOptions = {}): string {
  const rows = shownRows(cells);
  return joined(rows, fittedWidths(rows, options));
}

/** Rows under a bold head; each as a paragraph of its own where the window is too narrow for that. */
export function table(cells: readonly (readonly string[])[], options: ColumnsOptions = {}): Line {
  const rows = shownRows(cells);
  const widths = fittedWidths(rows, options);
  if (options.width !== undefined && total(widths) > options.width) return paragraphs(rows, options);
  const [head = '', ...lines] = joined(rows, widths).split('\n');
  return [styled('bold', head), ...lines.map((line) => `\n${line}`)];
}

function shownRows(cells: readonly (readonly string[])[]): string[][] {
  return cells.map((row) => row.map((cell) => printable(oneLine(cell))));
}

function fittedWidths(rows: readonly string[][], { width = Number.POSITIVE_INFINITY, cut = [] }: ColumnsOptions): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))));
  for (;;) {
    const [widest] = cut.filter((column) => (widths[column] ?? 0) > MIN_CELL).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined || total(widths) <= width) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
}

function joined(rows: readonly string[][], widths: readonly number[]): string {
  const line = (row: readonly string[]) =>
    row.map((cell, column) => padToWidth(cutToWidth(cell, widths[column] ?? 0), widths[column] ?? 0)).join(GAP);
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

/** The first cell heads the others, each on a line behind the name of its column. */
function paragraphs([head = [], ...rows]: readonly string[][], { width = 0, cut = [] }: ColumnsOptions): Line {
  const nameWidth = Math.max(...head.map(textWidth));
  const cellWidth = Math.max(width - nameWidth - 2 * GAP.length, MIN_CELL);
  return rows.flatMap(([first = '', ...others], row) => [
    row === 0 ? '' : '\n',
    styled('bold', first),
    ...others.map((cell, index) => {
      const column = index + 1;
      const shown = cut.includes(column) ? cutToWidth(cell, cellWidth) : cell;
      return `\n${GAP}${padToWidth(head[column] ?? '', nameWidth)}${GAP}${shown}`.trimEnd();
    }),
  ]);
}
