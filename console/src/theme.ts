import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** Colours, sizes and spacing of the whole console. */
export const theme = createTheme({
  primaryColor: 'blue',
  // The default shade 6 has too little contrast on white for small texts (WCAG 1.4.3).
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } },
  },
})

/** Dimmed texts and errors with enough contrast in both modes. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#59636e', '--mantine-color-error': '#c92a2a' },
  dark: { '--mantine-color-dimmed': '#a6adb4', '--mantine-color-error': '#ff8787' },
})
