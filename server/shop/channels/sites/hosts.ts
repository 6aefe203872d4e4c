import { randomUUID } from 'node:crypto'
import { type Db, prepared, type Store, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Directory } from '../../../stores/directory/directory.ts'

// No two sites share a host, also across stores and cells. Within a store the cell ensures this. Between stores the directory
// does: a store claims a host there before its site uses it, and releases the claim when the site gives the host up. A crash may
// leave a claim without a site. Nothing deletes such claims: the next store that claims the host checks whether a site uses it.

/** Longer than any request takes from its claim to its commit. Until then a claim without a site is valid. */
const CLAIM_SECONDS = 60
const ATTEMPTS_MAX = 3

/** A host that a store may use for one of its sites. */
export interface HostClaim {
  readonly host: string
  /** A unique id, so that releasing an old claim does not remove a newer one. */
  readonly claim: string
  /** Whether the store did not have the host before. */
  readonly isNew: boolean
}

interface Holder {
  store_id: number
  claim: string
  is_fresh: boolean
}

/** The hosts of all sites of an installation. */
export class SiteHosts {
  readonly #directory: Directory

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /**
   * Claims a host, then runs work that assigns it to a site. If the work is refused, the claim is released.
   * @param host undefined if there is no host to claim
   * @throws Problem 409 if a site of another store has the host
   */
  async withClaim<T>(
    store: Store,
    host: string | undefined,
    work: (claim: HostClaim | undefined) => Promise<T>,
  ): Promise<T> {
    if (host === undefined) return work(undefined)
    const claim = await this.#claim(store, host)
    try {
      return await work(claim)
    } catch (error) {
      // After any other failure the site may have the host, because the connection may have failed during the commit.
      if (claim.isNew && error instanceof Problem) await this.release(store, [claim])
      throw error
    }
  }

  /** Releases claims on hosts that no site uses any more. */
  async release(store: Store, claims: readonly Pick<HostClaim, 'host' | 'claim'>[]) {
    for (const { host, claim } of claims) {
      await this.#directory.database.system(sql`
        delete from directory.site_hosts
        where host = ${host} and store_id = ${store.id} and claim = ${claim} returning host`)
    }
  }

  /** The store that has a site with this host. */
  async storeAt(host: string): Promise<number | undefined> {
    const holder = await this.#holder(host)
    return holder && (await this.#isUsed(holder.store_id, host)) ? holder.store_id : undefined
  }

  async #claim(store: Store, host: string): Promise<HostClaim> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const claim = randomUUID()
      const row = { host, store_id: store.id, claim }
      if (await this.#enter(row)) return { host, claim, isNew: true }
      const holder = await this.#holder(host)
      // The claim was released meanwhile. The next attempt can enter it.
      if (!holder) continue
      const isOwn = holder.store_id === store.id
      if (!isOwn && (holder.is_fresh || (await this.#isUsed(holder.store_id, host)))) break
      if (await this.#replace(holder.claim, row)) return { host, claim, isNew: !isOwn }
    }
    throw hostTaken(host)
  }

  async #enter(row: { host: string; store_id: number; claim: string }): Promise<boolean> {
    const { database } = this.#directory
    const entered = await database.system(sql`
      insert into directory.site_hosts (host, store_id, claim, claimed_at)
      values (${row.host}, ${row.store_id}, ${row.claim}, ${database.present}) on conflict do nothing returning host`)
    return entered.length > 0
  }

  async #holder(host: string): Promise<Holder | undefined> {
    const { database } = this.#directory
    const [holder] = await database.system<Holder>(sql`
      select store_id, claim, claimed_at > ${database.present} - ${`${CLAIM_SECONDS} seconds`}::interval as is_fresh
      from directory.site_hosts where host = ${host}`)
    return holder
  }

  /** Whether a site of the claiming store uses the host. */
  async #isUsed(holder: number, host: string): Promise<boolean> {
    const db = await this.#directory.dbById(holder)
    return db !== undefined && (await siteAt(db, host)) !== undefined
  }

  /** Fails if another request changes the claim at the same time. */
  async #replace(former: string, row: { host: string; store_id: number; claim: string }): Promise<boolean> {
    const { database } = this.#directory
    const replaced = await database.system(sql`
      update directory.site_hosts set store_id = ${row.store_id}, claim = ${row.claim}, claimed_at = ${database.present}
      where host = ${row.host} and claim = ${former} returning host`)
    return replaced.length > 0
  }
}

export const hostTaken = (host: string) => {
  const sentence = `Another site has the host ${host} already.`
  return new Problem(409, sentence, { url: sentence })
}

/**
 * The site of the store that has a host, if any. Reads by key on a shared connection: a request with an Idempotency-Key already
 * occupies a connection, and many such requests would wait for each other.
 */
export async function siteAt(db: Db, host: string): Promise<number | undefined> {
  const found = await db.byKey<{ site_id: number }>(
    prepared(sql`select site_id from site_hosts where store_id = ${db.store.id} and host = ${host}`),
  )
  return found?.site_id
}

/**
 * Assigns to a locked site the hosts that it needs, and releases its other hosts after the commit.
 * @param claim of a host that the site did not have yet
 * @throws Problem 409 if another site of the store has a host, or another request has changed the addresses of this one meanwhile
 */
export async function setHosts(
  tx: Tx,
  hosts: SiteHosts,
  site: number,
  { needed, claim }: { needed: readonly string[]; claim: HostClaim | undefined },
) {
  const dropped = await dropHosts(tx, site, needed)
  if (dropped.length > 0) tx.afterCommit(() => hosts.release(tx.store, dropped))
  if (claim) {
    const row = { store_id: tx.store.id, host: claim.host, site_id: site, claim: claim.claim }
    await tx.rows(sql`insert into site_hosts ${sql.rows([row])} on conflict do nothing returning host`)
  }
  for (const host of needed) {
    const holder = await siteAt(tx, host)
    if (holder === undefined) throw changedMeanwhile()
    if (holder !== site) throw hostTaken(host)
  }
}

/** Another request removed a host from the site after this one found that it needs no claim. */
function changedMeanwhile() {
  const sentence = 'Another request has changed the addresses of this site at the same time. Send this one again.'
  return new Problem(409, sentence, { url: sentence })
}

/**
 * Removes the hosts of a site that it no longer needs.
 * @returns the removed hosts, to be released after the commit
 */
export const dropHosts = (tx: Tx, site: number, needed: readonly string[]) =>
  tx.rows<Pick<HostClaim, 'host' | 'claim'>>(sql`
    delete from site_hosts where store_id = ${tx.store.id} and site_id = ${site} and host <> all(${needed}::text[])
    returning host, claim`)
