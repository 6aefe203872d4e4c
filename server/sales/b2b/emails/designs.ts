/** The designs of mails of quotes, by their names in the API (docs/contract/b2b-quotes.md section 11). */
export const EMAIL_DESIGNS = [
  'Simple',
  'Simple with Pictures',
  'Waves with Pictures',
  'Sky',
  'Dots',
  'Database with checkout button',
  'Modern with checkout link',
  'Modern without checkout link',
] as const
export type EmailDesign = (typeof EMAIL_DESIGNS)[number]

/** The parts of a design that differ. Colors are of CSS. */
export interface DesignFacts {
  hasPictures: boolean
  /** The way to the quote; none in designs without it. */
  checkout: 'none' | 'button' | 'link'
  background: string
  accent: string
  border: string
}

const PLAIN = {
  hasPictures: false,
  checkout: 'none',
  background: '#ffffff',
  accent: '#313440',
  border: '1px solid #d9dce9',
} as const

export const DESIGNS: Readonly<Record<EmailDesign, DesignFacts>> = {
  Simple: PLAIN,
  'Simple with Pictures': { ...PLAIN, hasPictures: true },
  'Waves with Pictures': {
    ...PLAIN,
    hasPictures: true,
    background: '#e8f4f8',
    accent: '#0b6a88',
    border: '2px solid #0b6a88',
  },
  Sky: { ...PLAIN, background: '#eaf2ff', accent: '#1f4fa3', border: '1px solid #a9c3ef' },
  Dots: { ...PLAIN, background: '#faf7f2', accent: '#7a4b12', border: '2px dotted #c9a06a' },
  'Database with checkout button': { ...PLAIN, checkout: 'button', accent: '#2b2b2b', border: '1px solid #8c8c8c' },
  'Modern with checkout link': { ...PLAIN, checkout: 'link', background: '#f6f6f9', accent: '#4b3fa7', border: 'none' },
  'Modern without checkout link': { ...PLAIN, background: '#f6f6f9', accent: '#4b3fa7', border: 'none' },
}
