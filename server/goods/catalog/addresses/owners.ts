import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'

/** The channel of addresses that hold on all channels. */
export const EVERY_CHANNEL = 0

/**
 * The owner of an address. The address of a brand, category, product or post holds on all channels and is unique in the store. The
 * address of a page holds on its channel: pages of several channels may share it, and no other kind may have it. For each address
 * that a page has, a row of all channels with the owner 0 refuses it to other kinds by the one unique rule of the table
 * (docs/decisions/086-addresses-of-pages.md). Transactions that change addresses of a channel must run one after another.
 */
export interface AddressOwner {
  kind: string
  id: number
  channel_id: number
}

/** The owner of the row that stands for all pages with an address. */
const ANY_OWNER = 0

/** Reserves an address for an owner and releases its former one. @returns whether the owner has the address now */
export async function reserveAddress(tx: Tx, owner: AddressOwner, url: string, former = ''): Promise<boolean> {
  const [key, formerKey] = [fold(url), fold(former)]
  if (key === formerKey) return true
  if (owner.channel_id === EVERY_CHANNEL) return reserveEverywhere(tx, owner, key, formerKey)
  const isClaimed = await claimOnChannel(tx, owner, key)
  if (isClaimed && former !== '') await releaseOfChannels(tx, owner.kind, [owner.id], formerKey)
  return isClaimed
}

async function reserveEverywhere(tx: Tx, { kind, id }: AddressOwner, key: string, former: string): Promise<boolean> {
  const claimed = await tx.rows(
    prepared(sql`
      with claimed as (
        insert into urls (store_id, url_key, owner_kind, owner_id) values (${tx.store.id}, ${key}, ${kind}, ${id})
        on conflict do nothing returning url_key
      ), released as (
        delete from urls where store_id = ${tx.store.id} and url_key = ${former} and owner_kind = ${kind}
          and owner_id = ${id} and exists (select 1 from claimed)
      )
      select url_key from claimed`),
  )
  return claimed.length > 0
}

async function claimOnChannel(tx: Tx, { kind, id, channel_id }: AddressOwner, key: string): Promise<boolean> {
  // Waits for concurrent transactions that claim the address for another kind.
  await tx.rows(
    prepared(sql`
      insert into urls (store_id, url_key, owner_kind, owner_id) values (${tx.store.id}, ${key}, ${kind}, ${ANY_OWNER})
      on conflict do nothing`),
  )
  const claimed = await tx.rows(
    prepared(sql`
      insert into urls (store_id, url_key, channel_id, owner_kind, owner_id)
      select ${tx.store.id}::int, url_key, ${channel_id}::bigint, owner_kind, ${id}::int from urls
      where store_id = ${tx.store.id} and url_key = ${key} and channel_id = ${EVERY_CHANNEL} and owner_kind = ${kind}
        and owner_id = ${ANY_OWNER}
      on conflict do nothing returning url_key`),
  )
  return claimed.length > 0
}

/**
 * Reserves `<stem>/`, or the first free one of `<stem>-1/`, `<stem>-2/` and so on.
 * @param stem such as `/blue-shirt`; Latin letters, digits, slashes and dashes
 * @returns the reserved address
 */
export async function generateAddress(tx: Tx, owner: AddressOwner, stem: string, former = ''): Promise<string> {
  if (await reserveAddress(tx, owner, `${stem}/`, former)) return `${stem}/`
  const { free } = await tx.row<{ free: number }>(sql`
    with numbers as (
      select distinct substring(url_key from ${`^${stem}-([1-9][0-9]{0,8})/$`})::int as number from urls
      where store_id = ${tx.store.id} and url_key >= ${`${stem}-`} and url_key < ${`${stem}.`}
        and (channel_id = ${owner.channel_id}::bigint or owner_kind <> ${owner.kind})
        and not (owner_kind = ${owner.kind} and owner_id = ${owner.id})
    ), taken as (
      select number, row_number() over (order by number) as place from numbers where number is not null
    )
    select coalesce(min(place) filter (where place <> number), count(*) + 1) as free from taken`)
  for (let next = free; ; next++) {
    const url = `${stem}-${next}/`
    if (await reserveAddress(tx, owner, url, former)) return url
  }
}

/** Deletes all addresses of owners whose addresses hold on all channels. */
export async function releaseEverywhere(tx: Tx, kind: string, ids: readonly number[]) {
  await tx.rows(
    sql`delete from urls where store_id = ${tx.store.id} and owner_kind = ${kind} and owner_id = any(${ids})`,
  )
}

/**
 * Deletes addresses of owners whose addresses hold on their channel.
 * @param key only this one; all of them if not given
 */
export async function releaseOfChannels(tx: Tx, kind: string, ids: readonly number[], key?: string) {
  const own = sql`owner_kind = ${kind} and owner_id = any(${ids})`
  await tx.rows(sql`
    with released as (
      delete from urls where store_id = ${tx.store.id} and ${own} ${key === undefined ? sql.empty : sql`and url_key = ${key}`}
      returning url_key
    )
    delete from urls shared
    where store_id = ${tx.store.id} and channel_id = ${EVERY_CHANNEL} and owner_kind = ${kind} and owner_id = ${ANY_OWNER}
      and url_key = any(array(select url_key from released))
      and not exists (
        select 1 from urls other
        where other.store_id = ${tx.store.id} and other.url_key = shared.url_key and other.channel_id > ${EVERY_CHANNEL}
          and not other.owner_id = any(${ids}))`)
}
