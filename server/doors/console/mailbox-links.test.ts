import fastify from 'fastify'
import { expect, test } from 'vitest'
import { mailboxLinks } from './mailbox-links.ts'

test.each([
  ['/mailbox/demostore', '127.0.0.1:8080', 'http://localhost:8080/console/stores/demostore/mails'],
  ['/mailbox/demostore', 'localhost:8080', '/console/stores/demostore/mails'],
  ['/mailbox/demostore', 'shop.example.com', '/console/stores/demostore/mails'],
  ['/mailbox/demostore', 'example.com:8080', '/console/stores/demostore/mails'],
  ['/mailbox/..%2F..%2Fsecret', '127.0.0.1:8080', 'http://localhost:8080/console/stores/..%2F..%2Fsecret/mails'],
  ['/mailbox', '127.0.0.1:8080', 'http://localhost:8080/console'],
])('%s at %s leads to %s', async (url, host, location) => {
  const server = fastify()
  mailboxLinks(server)
  const answer = await server.inject({ url, headers: { host } })
  expect([answer.statusCode, answer.headers.location]).toEqual([302, location])
  await server.close()
})
