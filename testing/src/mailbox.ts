import { ask, type Server } from './operator.ts'
import { milliseconds } from './times.ts'

/** An e-mail of the store, which a test store never sends. */
export interface Mail {
  id: string
  recipient: string
  subject: string
  text: string
  html: string | null
  created_at: string
}

/** The e-mails of a test store. */
export class Mailbox {
  readonly #server: Server
  readonly #path: string

  constructor(server: Server, hash: string) {
    this.#server = server
    this.#path = `/stores/${hash}/mails`
  }

  /** The last 100 e-mails without their texts, the newest first. */
  list(): Promise<Omit<Mail, 'text' | 'html'>[]> {
    return ask(this.#server, 'GET', this.#path)
  }

  /** Waits for an e-mail. @throws Error with the e-mails that the store has, if there is none in time */
  async waitFor({
    to,
    subject,
    within = '5 s',
  }: {
    to?: string
    subject?: string | RegExp
    within?: string | number
  }): Promise<Mail> {
    const end = Date.now() + milliseconds(within)
    for (;;) {
      const mails = await this.list()
      const found = mails.find(
        (mail) =>
          (to === undefined || mail.recipient === to) &&
          (subject === undefined ||
            (typeof subject === 'string' ? mail.subject.includes(subject) : subject.test(mail.subject))),
      )
      if (found) return ask(this.#server, 'GET', `${this.#path}/${found.id}`)
      if (Date.now() >= end) {
        const list = mails.map((mail) => `  ${mail.recipient}: ${mail.subject}`)
        throw new Error([`No such e-mail within ${within}. The store has ${mails.length}:`, ...list].join('\n'))
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
