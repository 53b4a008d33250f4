// @module-tag chromium
import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console';

const HEBREW = 'מוצא חנויות לפי עיר';

test('a text in Hebrew begins at the right', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'find', actionDescription: HEBREW, payloadDescription: {} }, () => 'found');
  });
  await page.goto('/actions/shop__find');
  const text = page.getByRole('region', { name: 'Description' }).getByText(HEBREW);
  await text.waitFor();
  const gaps = await text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [words, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return { left: words.left - box.left, right: box.right - words.right };
  });
  expect(gaps.right).toBeLessThan(gaps.left);
});
