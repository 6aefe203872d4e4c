import { createServer, type Server, type Socket } from 'node:net'

/** A mail as a mail server got it. */
export interface Received {
  from: string
  to: string[]
  head: string
  body: string
}

/** A mail server that accepts every mail except for unknown recipients. */
export class Postbox {
  readonly received: Received[] = []
  readonly #takesMs: number
  #server: Server | undefined

  /** @param takesMs the time it takes to accept a mail */
  constructor(takesMs = 0) {
    this.#takesMs = takesMs
  }

  async open(): Promise<string> {
    const server = createServer((socket) => this.#talk(socket))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  async close() {
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  #talk(socket: Socket) {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let mail: Received = { from: '', to: [], head: '', body: '' }
    let text = ''
    let isData = false
    say('220 postbox')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end === -1) return
        const part = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          const [head = '', ...body] = part.split('\r\n\r\n')
          this.received.push({ ...mail, head, body: body.join('\r\n\r\n') })
          mail = { from: '', to: [], head: '', body: '' }
          isData = false
          setTimeout(() => say('250 taken'), this.#takesMs)
        } else if (/^MAIL FROM:/i.test(part)) {
          mail.from = part.slice(10)
          say('250 ok')
        } else if (/^RCPT TO:/i.test(part)) {
          if (part.includes('nobody')) say('550 there is no such person')
          else {
            mail.to.push(part.slice(8))
            say('250 ok')
          }
        } else if (/^DATA/i.test(part)) {
          isData = true
          say('354 go on')
        } else if (/^QUIT/i.test(part)) {
          say('221 bye')
          socket.end()
        } else say('250 ok')
      }
    })
  }
}
