import type { FastifyRequest } from 'fastify'

/** The demo store of a sandbox. */
export interface DemoStore {
  store_hash: string
  /** Opens the store with every scope. */
  token: string
  /** Sends GraphQL as a page of its storefront. */
  storefront_token: string
  /** Signs in at the companion API. */
  buyer: { email: string; password: string }
  welcome: Welcome
}

/** The demo store of a sandbox; undefined until it is made. */
export type FindDemoStore = () => DemoStore | undefined

/** The text that a sandbox prints, by its parts. It contains tokens and passwords. */
export interface Welcome {
  headline: string
  addresses: readonly { name: string; url: string; says: string; isPage: boolean }[]
  tokens: readonly { token: string; says: string }[]
  /** The file that contains all addresses, tokens and passwords. */
  record: string
  chapters: readonly Chapter[]
}

/** A sentence of the printed text with commands that can be pasted into a terminal. */
export interface Chapter {
  about: 'store' | 'storefront' | 'companion' | 'webhooks'
  says: string
  commands: readonly string[]
}

/** Headers that proxies and tunnels add to the requests that they forward. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Whether a request comes from this machine and names it in `Host`. A page of another host whose name was made to lead here sends that
 * name (DNS rebinding). A tunnel to the public internet connects from this machine, too: it is known by its headers.
 */
export const isOfThisMachine = ({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
  /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '') &&
  !FORWARDED.some((name) => headers[name] !== undefined)
