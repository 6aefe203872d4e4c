import { randomUUID } from 'node:crypto'
import { type Db, prepared, type Store, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Directory } from '../../../stores/directory/directory.ts'

// No two sites have one host, in whichever stores and cells they are. Within a store the cell keeps them apart. Between stores the
// directory does: a store claims a host there before its site takes it, and gives the claim up when the host is free again. A crash
// may leave a claim without a site. Nobody cleans up behind it: whoever wants the host looks whether a site has it.

/** Longer than any request takes from its claim to its commit. Until then a claim without a site counts. */
const CLAIM_SECONDS = 60
const ATTEMPTS_MAX = 3

/** A host that a store may give to one of its sites. */
export interface HostClaim {
  readonly host: string
  /** Another one for each claim: whoever gives up an old claim does not take a newer one away. */
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
   * Claims a host for the time of work that gives it to a site. If the work is refused, the host is free again.
   * @param host undefined if there is none to claim
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
      // After any other failure the site may have the host: the connection may have been lost while it was stored.
      if (claim.isNew && error instanceof Problem) await this.release(store, [claim])
      throw error
    }
  }

  /** Gives claims up whose hosts no site has any more. */
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
      // Given up in between: the next attempt enters it.
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

  /** Whether a site of the store that has claimed a host has it. */
  async #isUsed(holder: number, host: string): Promise<boolean> {
    const db = await this.#directory.dbById(holder)
    return db !== undefined && (await siteAt(db, host)) !== undefined
  }

  /** Fails if somebody else claims or gives up the host at the same time. */
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
 * The site of the store that has a host, if any. By key, on a shared connection: a request with an Idempotency-Key holds one of its
 * own by now, and many of them would wait for each other's.
 */
export async function siteAt(db: Db, host: string): Promise<number | undefined> {
  const found = await db.byKey<{ site_id: number }>(
    prepared(sql`select site_id from site_hosts where store_id = ${db.store.id} and host = ${host}`),
  )
  return found?.site_id
}

/**
 * Gives a site, which is locked, the hosts that it needs, and takes the others from it: those are free after the commit.
 * @param claim of a host that it did not have yet
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

/** Another request took a host from the site after this one saw that it need not be claimed. */
function changedMeanwhile() {
  const sentence = 'Another request has changed the addresses of this site at the same time. Send this one again.'
  return new Problem(409, sentence, { url: sentence })
}

/** Takes hosts from a site, all but those that it needs. @returns them, to be given up after the commit */
export const dropHosts = (tx: Tx, site: number, needed: readonly string[]) =>
  tx.rows<Pick<HostClaim, 'host' | 'claim'>>(sql`
    delete from site_hosts where store_id = ${tx.store.id} and site_id = ${site} and host <> all(${needed}::text[])
    returning host, claim`)
