// Colours of the checkout page, from the theme of the shop. Pure.

const STANDARD = '#0b57a4'
/** The settings of themes that name the colour of the main buttons, the most particular one first. Themes for the hosted API have the first two. */
const SETTINGS = ['optimizedCheckout-buttonPrimary-backgroundColor', 'color-primary', 'color-accent']
/** WCAG 2.2 AA asks for 4.5 between a text and its ground. */
const CONTRAST_MIN = 4.5

/** The accent of a theme, darkened until white texts on it, and texts of it on white, can be read. */
export function accentIn(settings: Readonly<Record<string, unknown>>): string {
  const named = SETTINGS.map((id) => settings[id]).find((value) => typeof value === 'string' && HEX.test(value))
  let colour = partsOf(typeof named === 'string' ? named : STANDARD)
  while (contrastToWhite(colour) < CONTRAST_MIN) colour = colour.map((part) => Math.floor(part * 0.95))
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Red, green and blue from 0 to 255. */
function partsOf(hex: string): number[] {
  const digits = hex.slice(1)
  const size = digits.length / 3
  return [0, 1, 2].map((i) => Number.parseInt(digits.slice(i * size, (i + 1) * size).padEnd(2, digits[i]), 16))
}

/** The ratio of luminances by WCAG 2.2. */
function contrastToWhite(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
