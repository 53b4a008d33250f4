/** The plot of a chart, by uPlot. Fits its container; new points update it in place. */
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { TimeWindow } from '../api/spans';
import { formatClock, formatDay } from './format';
import { logRange, logTicks } from './log-axis';
import type { Series, SeriesKind, SeriesLine } from './series-lines';

type Scheme = 'light' | 'dark';

const INK = { light: { text: '#5c636a', grid: '#e6eae8' }, dark: { text: '#a6adb4', grid: '#3b3f45' } };
const FONT = '11px system-ui, sans-serif';
const DAY_SECONDS = 86_400;
/** CSS pixels per bar below which an outline is drawn in place of bars. */
const NARROW = 4;
/** CSS pixels below which a drag selects nothing. */
const LEAST_DRAWN = 8;

export interface SeriesPlotProps<Values> {
  series: Series<Values>;
  show: SeriesKind<Values>;
  scheme: Scheme;
  height: number;
  /** The point under the pointer; undefined for none. */
  onPoint: (index: number | undefined) => void;
  /** The selected range, extended to whole steps. */
  onDraw: ((time: TimeWindow) => void) | undefined;
}

export function SeriesPlot<Values>({ series, show, scheme, height, onPoint, onDraw }: SeriesPlotProps<Values>) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const newest = useRef(series);
  const draw = useRef(onDraw);
  const isDrawable = onDraw !== undefined;
  useEffect(() => {
    draw.current = onDraw;
  }, [onDraw]);
  useEffect(() => {
    newest.current = series;
    plot.current?.setData(dataOf(show, series));
  }, [show, series]);

  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const drawn = new uPlot(
      {
        ...optionsOf(show, scheme, height, box.clientWidth, () => newest.current),
        cursor: {
          y: false,
          drag: { x: isDrawable, y: false, setScale: false, dist: LEAST_DRAWN },
          points: { show: show.shape === 'lines' },
        },
        hooks: {
          setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
          setSelect: [
            (plot) => {
              const time = drawnOf(plot, newest.current);
              if (!time) return;
              plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              draw.current?.(time);
            },
          ],
        },
      },
      [[]],
      box,
    );
    plot.current = drawn;
    drawn.setData(dataOf(show, newest.current));
    const resized = new ResizeObserver(() => drawn.setSize({ width: box.clientWidth, height }));
    resized.observe(box);
    return () => {
      resized.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [show, scheme, height, onPoint, isDrawable]);

  return <div ref={place} className="series-plot" />;
}

/** The steps that the selection touches; undefined for none. */
function drawnOf(plot: uPlot, { points, stepSeconds }: Series<unknown>): TimeWindow | undefined {
  const { left, width } = plot.select;
  if (width <= 0) return undefined;
  const from = plot.posToVal(left, 'x') * 1_000;
  const to = plot.posToVal(left + width, 'x') * 1_000;
  const touched = points.map(({ at }) => Date.parse(at)).filter((at) => at < to && at + stepSeconds * 1_000 > from);
  const [first, last] = [touched[0], touched.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { from: new Date(first).toISOString(), to: new Date(last + stepSeconds * 1_000).toISOString() };
}

function dataOf<Values>({ lines }: SeriesKind<Values>, { points }: Series<Values>): uPlot.AlignedData {
  return [points.map(({ at }) => Date.parse(at) / 1_000), ...lines.map((line) => points.map((point) => line.height(point) ?? null))];
}

function optionsOf<Values>(
  { shape, lines, isWhole, isLogarithmic, isDaily, formatHeights }: SeriesKind<Values>,
  scheme: Scheme,
  height: number,
  width: number,
  series: () => Series<Values>,
): uPlot.Options {
  const { text, grid } = INK[scheme];
  const axis = { stroke: text, font: FONT, ticks: { show: false } };
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 18, 0, 0],
    scales: {
      x: { range: (_plot, first, last) => [first, last + series().stepSeconds] },
      y: isLogarithmic
        ? { distr: 3, range: (_plot, least, most) => logRange(least, most) }
        : // The axis starts at zero, and ends at 1 when all values are zero.
          { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        space: 70,
        size: 28,
        ...(isDaily && { incrs: DAY_STEPS }),
        grid: { show: false },
        values: (_plot, splits, _axis, _space, step) => splits.map((at) => tick(at, step)),
      },
      {
        ...axis,
        // "1 min 40 s" needs more than most labels.
        size: (_plot, labels) => Math.max(56, 12 + 7 * Math.max(0, ...(labels ?? []).map(({ length }) => length))),
        space: 40,
        grid: { stroke: grid, width: 1 },
        ...(isWhole && { incrs: [1, 2, 5].flatMap((step) => POWERS.map((power) => step * power)).sort((a, b) => a - b) }),
        ...(isLogarithmic && { splits: (_plot, _axis, least, most) => logTicks(least, most), filter: (_plot, splits) => splits }),
        values: (_plot, splits) => formatHeights(splits),
      },
    ],
    series: [{}, ...lines.map((line) => (shape === 'bars' ? bars(line, scheme) : curve(line, scheme)))],
  };
}

const DAY_STEPS = [1, 2, 7, 14, 30, 60, 120].map((days) => days * DAY_SECONDS);
/** Counts have no fractions. */
const POWERS = Array.from({ length: 10 }, (_, exponent) => 10 ** exponent);

/** Label of a tick: the day at midnight, otherwise the time, in local time. */
function tick(at: number, step: number): string {
  const ms = at * 1_000;
  const isDay = step >= DAY_SECONDS || formatClock(ms) === '00:00';
  return isDay ? formatDay(ms) : formatClock(ms);
}

type LineLook = Pick<SeriesLine<unknown>, 'label' | 'color'>;

function bars({ label, color }: LineLook, scheme: Scheme): uPlot.Series {
  const { bars, stepped } = uPlot.paths;
  const wide = bars?.({ align: 1, size: [0.8, 48], radius: 0.1 });
  const narrow = stepped?.({ align: 1, extend: true });
  return {
    label,
    fill: color[scheme],
    width: 0,
    points: { show: false },
    paths: (plot, ...rest) => {
      const isNarrow = plot.bbox.width / plot.data[0].length < NARROW * devicePixelRatio;
      return (isNarrow ? narrow : wide)?.(plot, ...rest) ?? null;
    },
  };
}

function curve({ label, color }: LineLook, scheme: Scheme): uPlot.Series {
  return {
    label,
    stroke: color[scheme],
    width: 1.5,
    // Lines need two points beside each other; one between gaps would be invisible.
    points: { show: true, size: 4, fill: color[scheme], filter: (plot, line) => alone(plot.data[line] ?? []) },
  };
}

function alone(values: ArrayLike<number | null | undefined>): number[] {
  return Array.from(values).flatMap((value, index, all) =>
    value != null && all[index - 1] == null && all[index + 1] == null ? [index] : [],
  );
}
