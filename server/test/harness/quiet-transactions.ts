import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { inject } from 'vitest'
import { TRANSACTIONS } from '../../core/db/database.ts'

/** Kinds of Node's async resources that wait for files, networks, processes or the thread pool. */
const WAITS =
  /^(FS|FILEHANDLE|TCPCONNECTWRAP$|PIPECONNECTWRAP$|GETADDRINFO|GETNAMEINFO|QUERYWRAP$|HTTPCLIENTREQUEST$|UNDICI_|UDPSEND|PROCESSWRAP$|WORKER$|ARGON2|SCRYPT|PBKDF2)/

/** The folder of the database driver. */
const DATABASE = '/node_modules/pg/'

const transaction = new AsyncLocalStorage<{ isOpen: boolean }>()

/** The calls that waited in an open transaction, each with its stack. */
const found: string[] = []

let isWatching = false

/** Finds all code of this process that waits for anything but the database while one of its transactions is open. */
export function watchTransactions() {
  if (isWatching) return
  isWatching = true
  channel(TRANSACTIONS).bindStore(transaction)
  createHook({
    trackPromises: false,
    init(_id, type, _trigger, resource) {
      if (!WAITS.test(type) || !transaction.getStore()?.isOpen || isToNode(resource)) return
      const stack = new Error().stack ?? ''
      // A test that sends requests while it holds a transaction may need another connection of the database.
      if (!stack.includes(DATABASE)) found.push(`${type} in an open transaction: ${stack}`)
    },
  }).enable()
}

/** Whether a socket leads to a node of a cluster. It is opened a moment after the driver's call, which its stack does not show then. */
const isToNode = (resource: object) => 'port' in resource && inject('nodePorts').some((port) => port === resource.port)

/** The findings since the last call. */
export const waitsInTransactions = (): string[] => found.splice(0)
