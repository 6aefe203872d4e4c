import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const CLOSE = { 'aria-label': 'Close' }
const TEXT = { color: 'var(--mantine-color-text)' }
/** The description of a chosen entry is translucent by default, with too little contrast (WCAG 1.4.3). */
const OPAQUE = { opacity: 1 }

/** Colours, sizes and spacing of the whole console. */
export const theme = createTheme({
  primaryColor: 'blue',
  // The default shade 6 has too little contrast on white for small texts (WCAG 1.4.3).
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Colour alone doesn't tell a link from the text around it (WCAG 1.4.1).
    Anchor: { defaultProps: { underline: 'always' } },
    Spotlight: { styles: { actionDescription: OPAQUE } },
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    // Texts and links on a tinted ground, and in the colour of an alert, have too little contrast (WCAG 1.4.3).
    Alert: { defaultProps: { variant: 'outline' }, styles: { title: TEXT } },
    Notification: { defaultProps: { closeButtonProps: CLOSE }, styles: { description: TEXT } },
    Modal: { defaultProps: { closeButtonProps: CLOSE } },
    Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } },
  },
})

/** Dimmed texts and errors with enough contrast in both modes. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#59636e', '--mantine-color-error': '#c92a2a' },
  dark: { '--mantine-color-dimmed': '#a6adb4', '--mantine-color-error': '#ff8787' },
})
