import type { AlertCheck } from '../alert-check';
import { growthPerDay } from '../growth';
import { bytesText } from '../words';

const MB = 1_000_000;

export const storeGrowth: AlertCheck = {
  kind: 'store-growth',
  async check(context) {
    const bytes = await context.storeBytes();
    const perDay = growthPerDay(await context.storeSizes(), context.now, bytes);
    if (perDay === undefined || perDay <= context.rule('store-growth').threshold * MB) return [];
    const text = `The data grew by ${bytesText(perDay)} in a day, to ${bytesText(bytes)}: a shorter retention keeps them smaller`;
    return [{ kind: 'store-growth', subject: '', severity: 'warning', text, link: '/settings' }];
  },
};
