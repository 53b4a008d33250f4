import type { AlertCheck } from '../alert-check';
import { highErrorRates, rateText } from '../error-rates';

export const keyErrors: AlertCheck = {
  kind: 'key-errors',
  async check(context) {
    const keys = new Map((await context.keys()).map(({ id, name }) => [id, name]));
    return (await highErrorRates(context, 'key-errors', 'key')).flatMap((rate) => {
      const name = keys.get(rate.name);
      if (name === undefined) return [];
      const text = `Key "${name}": ${rateText(rate)}`;
      const link = `/calls?key=${encodeURIComponent(rate.name)}&outcome=error`;
      return [{ kind: 'key-errors', subject: rate.name, severity: 'warning', text, link, keyId: rate.name }];
    });
  },
};
