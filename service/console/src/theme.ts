/** Theme of the console: one accent colour, plain surfaces, readable tables. All contrasts are at least WCAG AA. */
import { createTheme, Drawer, type MantineColorsTuple, Menu, Modal, Notification } from '@mantine/core';

const teal: MantineColorsTuple = [
  '#e6f7f4',
  '#cfece7',
  '#9fd9cf',
  '#6bc4b6',
  '#42b2a1',
  '#28a794',
  '#149480',
  '#0c7a6b',
  '#086557',
  '#025246',
];

/** The page's header is its banner; that of a dialog is a second one to screen readers. */
const NO_BANNER = { header: { role: 'presentation' } };

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 7,
  autoContrast: true,
  colors: { brand: teal },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, attributes: NO_BANNER } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, attributes: NO_BANNER } }),
    // A menu has items only: the placeholder that takes its focus is none.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
  },
});
