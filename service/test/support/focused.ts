import type { Page } from 'playwright-core';

/** The focused element; undefined at the end of the page, where the browser itself has the focus. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return undefined;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      name: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
      inMain: element.closest('main') !== null,
      inDialog: element.closest('[role="dialog"]') !== null,
      isVisible: element.checkVisibility(),
      // Fields show it by their cursor and the colour of their border.
      isMarked: element.matches('input, textarea') || (outlineStyle !== 'none' && outlineWidth !== '0px'),
    };
  });

/** Marks the focused element. True if it was marked before. */
export const markFocused = (page: Page) =>
  page.evaluate(() => {
    const { dataset } = document.activeElement as HTMLElement;
    const wasMarked = dataset.reached !== undefined;
    dataset.reached = '';
    return wasMarked;
  });

/** Usable controls of the main part without a mark. The arrow keys, and not Tab, lead to radio buttons and tabs. */
export const unmarkedControls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, textarea, select, [tabindex="0"])')].flatMap((element) => {
      const isUsable = element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [type="radio"], [role="tab"]');
      return isUsable && element.tabIndex >= 0 && element.dataset.reached === undefined ? [element.outerHTML.slice(0, 200)] : [];
    }),
  );
