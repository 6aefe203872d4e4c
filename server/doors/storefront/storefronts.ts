import type { FastifyRequest } from 'fastify'
import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Problem } from '../../core/rest/problem.ts'
import { type Channel, FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { type AddressRules, canonicalUrl, isDefaultHost, ownerOfHost } from '../../shop/channels/sites/addresses.ts'
import { SiteHosts, siteAt } from '../../shop/channels/sites/hosts.ts'
import { findSite, findSiteOfChannel, type SiteRow, siteToAnswer } from '../../shop/channels/sites/shape.ts'
import type { Directory, StoreEntry } from '../../stores/directory/directory.ts'
import { BriefCache } from './cache.ts'

/** Storefronts have hosts of their own, and paths below the address of the server. */
export const STOREFRONT_PREFIXES = [
  '',
  '/storefront/:store_hash',
  '/storefront/:store_hash/:channel_id(^[1-9]\\d{0,14}$)',
]

/** A storefront: a channel of a store with a site. It is cached for a second. */
export interface Storefront {
  readonly db: Db
  readonly channel: number
  /** The origin of its pages, as browsers send it. */
  readonly origin: string
  /** The address of its pages, without a slash at its end. */
  readonly url: string
  /** The address of its checkout, without a slash at its end. */
  readonly checkoutUrl: string
  /** The address below which the pictures are: that of the server, or of a content network. */
  readonly picturesUrl: string
  readonly status: Channel['status']
  /** The beginning of its paths: empty, or `/storefront/abc123/1`. */
  readonly path: string
}

/**
 * Finds the storefront of a request by its host, or by hash and channel below the server's own address
 * (docs/contract/storefront-tokens.md section 5).
 */
export class Storefronts {
  readonly #directory: Directory
  readonly #rules: AddressRules
  readonly #hosts: SiteHosts
  readonly #picturesUrl: string
  readonly #cache = new BriefCache<Storefront>()

  constructor(directory: Directory, rules: AddressRules, picturesUrl = rules.publicUrl) {
    this.#directory = directory
    this.#picturesUrl = picturesUrl
    this.#rules = rules
    this.#hosts = new SiteHosts(directory)
  }

  /** @throws Problem 404, 503 for a store that is not active */
  find({ host, hostname, params }: FastifyRequest): Promise<Storefront> {
    const { store_hash: hash, channel_id: channel }: { store_hash?: string; channel_id?: string } = params ?? {}
    if (hash === undefined)
      return this.#cache.find(host, () => this.#atHost(host.toLowerCase(), hostname.toLowerCase()))
    const path = `/storefront/${hash}${channel === undefined ? '' : `/${channel}`}`
    return this.#cache.find(path, () => this.#ofStore(hash, Number(channel ?? FIRST_CHANNEL), path))
  }

  /** The storefront of a store and a channel. @throws Problem 404, 503 for a store that is not active */
  of(hash: string, channel: number): Promise<Storefront> {
    const path = `/storefront/${hash}/${channel}`
    return this.#cache.find(path, () => this.#ofStore(hash, channel, path))
  }

  /** The storefront of a host; undefined if there is none. @throws Problem 503 for a store that is not active */
  async at(host: string): Promise<Storefront | undefined> {
    const hostname = host.replace(/:\d+$/, '').toLowerCase()
    try {
      return await this.#cache.find(host, () => this.#atHost(host.toLowerCase(), hostname))
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return undefined
      throw error
    }
  }

  /** Whether a site has the host of a request, or the host is reserved. */
  async hasSite({ host, hostname }: Pick<FastifyRequest, 'host' | 'hostname'>): Promise<boolean> {
    if (isDefaultHost(hostname.toLowerCase(), this.#rules)) return true
    return (await this.#hosts.storeAt(keyOf(host.toLowerCase()))) !== undefined
  }

  async #atHost(host: string, hostname: string): Promise<Storefront> {
    const reserved = ownerOfHost(hostname, this.#rules)
    if (reserved) return this.#ofStore(reserved.hash, reserved.channel, '')
    const key = keyOf(host)
    const store = await this.#hosts.storeAt(key)
    const entry = store === undefined ? undefined : await this.#directory.entryById(store)
    const db = await this.#dbOf(entry)
    const site = await siteAt(db, key)
    if (site === undefined) throw unknownStorefront()
    return this.#at(db, await findSite(db, site), '')
  }

  async #ofStore(hash: string, channel: number, path: string): Promise<Storefront> {
    const db = await this.#dbOf(await this.#directory.find(hash))
    return this.#at(db, await findSiteOfChannel(db, channel), path)
  }

  async #dbOf(store: StoreEntry | undefined): Promise<Db> {
    const db = store && (await this.#directory.dbById(store.id))
    if (!db) throw unknownStorefront()
    if (store.state !== 'active') {
      throw new Problem(503, 'The store is closed at the moment.', {}, { headers: { 'retry-after': '60' } })
    }
    return db
  }

  async #at(db: Db, site: SiteRow, path: string): Promise<Storefront> {
    const channel = await db.byKey<Pick<Channel, 'status'>>(
      prepared(sql`select status from channels where store_id = ${db.store.id} and id = ${site.channel_id}`),
    )
    if (!channel) throw unknownStorefront()
    const answer = siteToAnswer(db.store, site, this.#rules)
    const url = answer.url.replace(/\/$/, '')
    const checkout = answer.urls.find(({ type }) => type === 'checkout')
    return {
      db,
      channel: site.channel_id,
      origin: new URL(url).origin,
      url,
      checkoutUrl: checkout?.url ?? canonicalUrl(db.store.hash, site.channel_id, this.#rules),
      picturesUrl: this.#picturesUrl,
      status: channel.status,
      path,
    }
  }
}

/** The key under which the host of a site is stored (`Address` in shop/channels/sites/addresses.ts). */
const keyOf = (host: string) => host.replace(/^www\./, '').replace(/:(80|443)$/, '')

const unknownStorefront = () => new Problem(404, 'There is no storefront at this address.')
