import type { FastifyInstance } from 'fastify'

type MailboxRequest = { Params: { store: string } }

/**
 * In a sandbox, the short address of a mailbox: it leads to the page of the console. A person signs in to the console at `localhost`, so
 * an address with 127.0.0.1 leads to that name.
 */
export function mailboxLinks(server: FastifyInstance) {
  server.get('/mailbox', async ({ hostname, port }, reply) => reply.redirect(`${baseAt(hostname, port)}/console`))
  server.get<MailboxRequest>('/mailbox/:store', async ({ hostname, port, params }, reply) =>
    reply.redirect(`${baseAt(hostname, port)}/console/stores/${encodeURIComponent(params.store)}/mails`),
  )
}

const baseAt = (hostname: string, port: number | null) =>
  hostname === '127.0.0.1' && port !== null ? `http://localhost:${port}` : ''
