import type { AlertCheck } from '../alert-check';
import { highErrorRates, rateText } from '../error-rates';

export const toolkitErrors: AlertCheck = {
  kind: 'toolkit-errors',
  async check(context) {
    const names = new Map(context.toolkits().map(({ id, name }) => [id, name]));
    return (await highErrorRates(context, 'toolkit-errors', 'toolkit')).flatMap((rate) => {
      const name = names.get(rate.name);
      if (name === undefined) return [];
      const text = `Toolkit "${name}": ${rateText(rate)}`;
      const link = `/calls?toolkit=${encodeURIComponent(rate.name)}&outcome=error`;
      return [{ kind: 'toolkit-errors', subject: rate.name, severity: 'warning', text, link, toolkitId: rate.name }];
    });
  },
};
