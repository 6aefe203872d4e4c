import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PrintedDocument, type PrintedLine, present } from './document.ts'

// Draws documents as PDF (docs/decisions/083-pdf-files.md). The work holds the thread, so it pauses after every few lines for other
// requests. The library and the fonts are loaded with the first document.

const MARGIN = 48
const LINE = 12
const [TEXT_SIZE, SMALL_SIZE, TITLE_SIZE] = [9, 8, 18]
/** Lines of a table, or pieces of a text, without a pause. */
const LINES_AT_ONCE = 5
/** Characters of a text that are drawn at once. */
const PIECE_MAX = 1_000
/** A longer word is broken: the library measures the rest of a word that is too long again for each line. */
const WORD_MAX = 40
/** Else a text of line breaks would fill hundreds of pages. */
const PARAGRAPHS_MAX = 500
const VALUE_WIDTH = 68

type Pdf = PDFKit.PDFDocument

/** @param now the time of its creation */
export async function makePdf(printed: PrintedDocument, now: Date): Promise<Buffer> {
  const { PDFDocument, regular, bold } = await loaded()
  const pdf: Pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: plain(printed.title), CreationDate: now },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => pdf.once('end', resolve))
  pdf.registerFont('regular', regular).registerFont('bold', bold)
  await draw(pdf, printed)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

const load = async () => {
  const require = createRequire(import.meta.url)
  const [{ default: PDFDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
  ])
  return { PDFDocument, regular, bold }
}
let loading: ReturnType<typeof load> | undefined

function loaded(): ReturnType<typeof load> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function draw(pdf: Pdf, { title, facts, parties, headings, lines, totals, texts }: PrintedDocument) {
  drawHead(pdf, title, facts)
  drawParties(pdf, parties)
  // An invoice without details has its totals only.
  if (lines.length > 0) await drawLines(pdf, headings, lines)
  drawTotals(pdf, totals)
  for (const { heading, text } of texts) await drawText(pdf, heading, text)
  numberPages(pdf)
}

const widthOf = (pdf: Pdf) => pdf.page.width - 2 * MARGIN
const bottomOf = (pdf: Pdf) => pdf.page.height - MARGIN - 2 * LINE

/** Begins a new page unless this height is left. */
function makeRoom(pdf: Pdf, height: number) {
  if (pdf.y + height > bottomOf(pdf)) pdf.addPage()
}

function drawHead(pdf: Pdf, title: string, facts: PrintedDocument['facts']) {
  pdf.font('bold').fontSize(TITLE_SIZE).text(plain(title), MARGIN, MARGIN).moveDown(0.4).fontSize(TEXT_SIZE)
  for (const [name, value] of facts) {
    const y = pdf.y
    pdf.font('bold').text(plain(name), MARGIN, y, { width: 100, height: LINE, ellipsis: true })
    pdf.font('regular').text(plain(value), MARGIN + 105, y, { width: widthOf(pdf) - 105, height: LINE, ellipsis: true })
    pdf.y = y + LINE
  }
  pdf.y += LINE
}

const PARTY_LINES_MAX = 10

function drawParties(pdf: Pdf, parties: PrintedDocument['parties']) {
  const top = pdf.y
  const width = widthOf(pdf) / Math.max(1, parties.length)
  const options = { width: width - 8, height: LINE, ellipsis: true }
  const heights = parties.map(({ heading, lines }, i) => {
    const x = MARGIN + i * width
    pdf.font('bold').fontSize(TEXT_SIZE).text(plain(heading), x, top, options)
    pdf.font('regular').fontSize(SMALL_SIZE)
    const written = lines.slice(0, PARTY_LINES_MAX)
    for (const [row, line] of written.entries()) pdf.text(plain(line), x, top + (row + 1) * LINE, options)
    return (written.length + 1) * LINE
  })
  pdf.y = top + Math.max(0, ...heights) + LINE
}

async function drawLines(pdf: Pdf, headings: readonly string[], lines: readonly PrintedLine[]) {
  const nameWidth = widthOf(pdf) - headings.length * VALUE_WIDTH
  const drawValues = (values: readonly string[], y: number) => {
    for (const [i, value] of values.entries()) {
      const x = MARGIN + nameWidth + i * VALUE_WIDTH
      pdf.text(plain(value), x, y, { width: VALUE_WIDTH - 4, height: LINE, align: 'right', ellipsis: true })
    }
  }
  const drawHeadings = () => {
    const y = pdf.y
    pdf.font('bold').fontSize(SMALL_SIZE).text('Item', MARGIN, y, { width: nameWidth })
    drawValues(headings, y)
    drawRule(pdf, y + LINE)
    pdf.y = y + LINE + 5
  }
  drawHeadings()
  for (const [i, { name, note, values }] of lines.entries()) {
    const height = note === '' ? LINE : 2 * LINE
    if (pdf.y + height > bottomOf(pdf)) {
      pdf.addPage()
      drawHeadings()
    }
    const y = pdf.y
    const options = { width: nameWidth - 8, height: LINE, ellipsis: true }
    pdf.font('regular').fontSize(TEXT_SIZE).fillColor('black').text(plain(name), MARGIN, y, options)
    drawValues(values, y)
    if (note !== '') {
      pdf
        .fontSize(SMALL_SIZE)
        .fillColor('#555')
        .text(plain(note), MARGIN, y + LINE, options)
        .fillColor('black')
    }
    pdf.y = y + height + 4
    if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1) await nextTurn()
  }
  drawRule(pdf, pdf.y)
  pdf.y += 6
}

const drawRule = (pdf: Pdf, y: number) =>
  pdf
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + widthOf(pdf), y)
    .lineWidth(0.5)
    .stroke('#999')

function drawTotals(pdf: Pdf, totals: PrintedDocument['totals']) {
  makeRoom(pdf, totals.length * (LINE + 2))
  const [x, width] = [MARGIN + widthOf(pdf) - 250, 250]
  for (const [i, [name, value]] of totals.entries()) {
    const y = pdf.y
    pdf.font(i === totals.length - 1 ? 'bold' : 'regular').fontSize(TEXT_SIZE)
    pdf.text(plain(name), x, y, { width: 130, height: LINE, ellipsis: true })
    pdf.text(plain(value), x + 130, y, { width: width - 134, height: LINE, align: 'right', ellipsis: true })
    pdf.y = y + LINE + 2
  }
  pdf.y += LINE
}

async function drawText(pdf: Pdf, heading: string, text: string) {
  if (text.trim() === '') return
  makeRoom(pdf, 4 * LINE)
  pdf
    .font('bold')
    .fontSize(TEXT_SIZE)
    .text(plain(heading), MARGIN, pdf.y, { width: widthOf(pdf) })
  pdf.font('regular').fontSize(SMALL_SIZE)
  for (const [i, piece] of piecesOf(text).entries()) {
    pdf.text(plain(piece), MARGIN, pdf.y, { width: widthOf(pdf) })
    if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1) await nextTurn()
  }
  pdf.y += LINE
}

/** The paragraphs of a text; long ones are broken at spaces. Those beyond the maximum become one. */
function piecesOf(text: string): string[] {
  const lines = text.split(/\r\n?|\n/)
  const paragraphs = [...lines.slice(0, PARAGRAPHS_MAX), ...present(lines.slice(PARAGRAPHS_MAX).join(' '))]
  return paragraphs.flatMap((paragraph) => {
    const pieces: string[] = []
    let rest = paragraph
    while (rest.length > PIECE_MAX) {
      const space = rest.lastIndexOf(' ', PIECE_MAX)
      const end = space > 0 ? space : wholeCharacters(rest, PIECE_MAX)
      pieces.push(rest.slice(0, end))
      rest = rest.slice(end)
    }
    return [...pieces, rest === '' ? ' ' : rest]
  })
}

/** The end of a piece that cuts no character of two code units. */
const wholeCharacters = (text: string, end: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end

const LONG_WORD = new RegExp(`\\S{${WORD_MAX}}(?=\\S)`, 'gu')

/** One line of plain text, without control characters, in which long words may be broken. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(LONG_WORD, '$&\u200b')

function numberPages(pdf: Pdf) {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    // Below the margin, where the library would begin another page.
    pdf.page.margins.bottom = 0
    const options = { width: widthOf(pdf), height: LINE, align: 'center' } as const
    pdf.font('regular').fontSize(SMALL_SIZE).fillColor('#555')
    pdf.text(`${page - start + 1} / ${count}`, MARGIN, pdf.page.height - MARGIN, options)
  }
}
