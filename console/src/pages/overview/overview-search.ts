import { isSpan, isTimeWindow, type Span, type TimeWindow } from '../../api/spans';

/** The time that the page looks at: a span, and within it what was drawn out of a chart. */
export interface OverviewSearch extends Partial<TimeWindow> {
  span?: Span;
}

export const overviewSearch = ({ span, from, to }: Record<string, unknown>): OverviewSearch => {
  const drawn = { from, to };
  return { ...(isSpan(span) && { span }), ...(isTimeWindow(drawn) && drawn) };
};
