import { isSpan, isTimeWindow, type Span, type TimeWindow } from '../../api/spans';

/** The range of the page: a span, or a range that was selected in a chart. */
export interface OverviewSearch extends Partial<TimeWindow> {
  span?: Span;
}

export const overviewSearch = ({ span, from, to }: Record<string, unknown>): OverviewSearch => {
  const drawn = { from, to };
  return { ...(isSpan(span) && { span }), ...(isTimeWindow(drawn) && drawn) };
};
