import { escapeMarkup } from '../../../core/mail/markup.ts'
import { DESIGNS, type DesignFacts, type EmailDesign } from './designs.ts'
import { type EmailLanguage, emailWordsOf } from './words.ts'

// The mail of a quote, as HTML and as text. Pure. All texts of people are escaped: nothing in them is markup.

/** The content of a mail. Amounts are texts in the format of the quote. */
export interface MailedQuote {
  number: string
  seller: string
  /** The name of the contact. */
  buyer: string
  /** The last day of the quote; the language writes it. */
  expiresAt: Date
  lines: readonly MailedLine[]
  /** Undefined for amounts that are not shown. */
  amounts: {
    subtotal: string
    discount: string | undefined
    shipping: string | undefined
    tax: string | undefined
    grandTotal: string
  }
  notes: string
  terms: string
  /** The page of the quote; undefined if it can't be checked out there. */
  link: string | undefined
}

interface MailedLine {
  name: string
  sku: string
  quantity: number
  price: string
  total: string
  /** An address of http or https, or empty. */
  picture: string
}

/** A mail as it is sent. */
interface WrittenMail {
  subject: string
  html: string
  text: string
}

/** Writes the mail of a quote in a design and a language. */
export function writeQuoteMail(quote: MailedQuote, design: EmailDesign, language: EmailLanguage): WrittenMail {
  const words = emailWordsOf(language)
  const facts = DESIGNS[design]
  const day = quote.expiresAt.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' })
  const link = facts.checkout === 'none' ? undefined : quote.link
  const { subtotal, discount, shipping, tax, grandTotal } = quote.amounts
  const totals = [
    [words.subtotal, subtotal],
    [words.discount, discount],
    [words.shipping, shipping],
    [words.tax, tax],
    [words.grandTotal, grandTotal],
  ].flatMap(([name = '', value]) => (value === undefined ? [] : [[name, value] as const]))
  const texts = [
    [words.notes, quote.notes],
    [words.terms, quote.terms],
  ].filter(([, text = '']) => text.trim() !== '')
  return {
    subject: `${quote.seller}: ${words.quote} ${quote.number}`,
    text: [
      `${words.greeting} ${quote.buyer}`,
      `${words.intro} ${words.quote} ${quote.number}`,
      `${words.validUntil}: ${day}`,
      quote.lines
        .map(({ quantity, name, sku, total }) => `${quantity} x ${[name, sku].filter(Boolean).join(', ')}: ${total}`)
        .join('\n'),
      totals.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...texts.map(([heading, text]) => `${heading}:\n${text}`),
      ...(link === undefined ? [] : [link]),
      quote.seller,
    ].join('\n\n'),
    html: page(
      [
        `<h1 style="font-size:22px;color:${facts.accent}">${escapeMarkup(`${words.quote} ${quote.number}`)}</h1>`,
        paragraph(`${words.greeting} ${quote.buyer}`),
        paragraph(words.intro),
        paragraph(`${words.validUntil}: ${day}`),
        table(quote.lines, facts, [words.product, words.quantity, words.price, words.total]),
        `<table role="presentation" style="width:100%;margin:16px 0">${totals.map(totalRow).join('')}</table>`,
        ...texts.map(
          ([heading = '', text = '']) => `<h2 style="font-size:15px">${escapeMarkup(heading)}</h2>${paragraph(text)}`,
        ),
        ...(link === undefined ? [] : [linkTo(link, words.view, facts)]),
        paragraph(quote.seller),
      ],
      facts,
      language,
    ),
  }
}

const page = (parts: readonly string[], { background, border }: DesignFacts, language: EmailLanguage): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>` +
  `<body style="margin:0;padding:24px;background:${background};font-family:Arial,sans-serif;font-size:14px;color:#313440">` +
  `<div style="max-width:640px;margin:0 auto;padding:24px;background:#ffffff;border:${border}">${parts.join('')}</div></body></html>`

const paragraph = (text: string): string => `<p style="white-space:pre-line">${escapeMarkup(text)}</p>`

function table(
  lines: readonly MailedLine[],
  { hasPictures, accent }: DesignFacts,
  headings: readonly string[],
): string {
  const cell = 'style="padding:6px;text-align:left;border-bottom:1px solid #d9dce9"'
  const picture = ({ picture: address, name }: MailedLine) =>
    hasPictures
      ? `<td ${cell}>${address === '' ? '' : `<img src="${escapeMarkup(address)}" alt="${escapeMarkup(name)}" width="64">`}</td>`
      : ''
  const row = (line: MailedLine) =>
    `<tr>${picture(line)}<td ${cell}>${escapeMarkup(line.name)}<br><small>${escapeMarkup(line.sku)}</small></td>` +
    `${[String(line.quantity), line.price, line.total].map((value) => `<td ${cell}>${escapeMarkup(value)}</td>`).join('')}</tr>`
  const head = `${hasPictures ? `<th ${cell}></th>` : ''}${headings
    .map((heading) => `<th ${cell}>${escapeMarkup(heading)}</th>`)
    .join('')}`
  return `<table style="width:100%;border-collapse:collapse"><thead style="color:${accent}"><tr>${head}</tr></thead><tbody>${lines
    .map(row)
    .join('')}</tbody></table>`
}

const totalRow = ([name, value]: readonly [string, string]): string =>
  `<tr><td>${escapeMarkup(name)}</td><td style="text-align:right">${escapeMarkup(value)}</td></tr>`

function linkTo(address: string, label: string, { checkout, accent }: DesignFacts): string {
  const style =
    checkout === 'button'
      ? `display:inline-block;padding:12px 20px;background:${accent};color:#ffffff;text-decoration:none`
      : `color:${accent}`
  return `<p><a href="${escapeMarkup(address)}" style="${style}">${escapeMarkup(label)}</a></p>`
}
