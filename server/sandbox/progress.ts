const BAR = 30
const CLEAR_REST = '\x1b[K'

type Out = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** Says how far work is: by a bar that grows on a terminal, elsewhere by a line for each tenth. */
export function progressOn(out: Out, things: string, now = () => performance.now()) {
  let start: { made: number; at: number } | undefined
  let tenths = -1
  return (made: number, count: number) => {
    start ??= { made, at: now() }
    const share = made / count
    const seconds = Math.ceil((((now() - start.at) / (made - start.made)) * (count - made)) / 1_000)
    const left = made > start.made && made < count ? `, ${seconds} s left` : ''
    const text = `${Math.floor(share * 100)} %  ${grouped(made)} of ${grouped(count)} ${things}${left}`
    if (out.isTTY) {
      const bar = '#'.repeat(Math.floor(share * BAR)).padEnd(BAR, '.')
      out.write(`\r[${bar}] ${text}${CLEAR_REST}${made === count ? '\n' : ''}`)
    } else if (Math.floor(share * 10) > tenths) {
      tenths = Math.floor(share * 10)
      out.write(`${text}\n`)
    }
  }
}

const grouped = (count: number) => count.toLocaleString('en')
