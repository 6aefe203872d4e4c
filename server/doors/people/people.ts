import type { Clock } from '../../core/clock.ts'
import { type Database, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Role } from './roles.ts'

const PEOPLE_MAX = 200
const INVITATION_MS = 24 * 3_600_000

/** A person as owners see them. */
export interface Person {
  id: number
  email: string
  name: string
  role: Role
  /** Hashes of the stores that the person may open; null for all. */
  stores: string[] | null
  /** Whether the person has accepted an invitation. */
  is_active: boolean
  created_at: string
}

export interface PersonChanges {
  role?: Role | undefined
  stores?: string[] | null | undefined
}

interface PeopleParts {
  database: Pick<Database, 'system'>
  secrets: Pick<Secrets, 'tokenHash'>
  clock: Clock
  ids: Pick<Ids, 'clientSecret'>
}

/** A change that would leave the installation without an owner, or more people than it can have. */
export class PersonRefusal extends Error {}

const COLUMNS = sql`id, email, name, role, stores, password_hash is not null as is_active, created_at`

/**
 * A person uses the console of the operator. People belong to the installation and are invited by an owner or by a command; a link,
 * which works once and for 24 hours, lets them choose a password. The role of a person says which routes of the operator's API and
 * which scopes of a store are open, for all stores or for some. A new invitation of the same address lets the person choose
 * another password. There is always an owner.
 */
export class People {
  readonly #parts: PeopleParts

  constructor(parts: PeopleParts) {
    this.#parts = parts
  }

  /**
   * Invites a person, or gives a person who is there another link, which replaces the former one.
   * @param isLocal whether the link works only in a browser on the machine of the server
   * @throws PersonRefusal with 200 people
   */
  async invite({
    email,
    role,
    stores = null,
    isLocal = false,
  }: {
    email: string
    role: Role
    stores?: string[] | null | undefined
    isLocal?: boolean
  }): Promise<Person & { token: string }> {
    const { database, secrets, clock, ids } = this.#parts
    const token = ids.clientSecret()
    const invitation = this.#invitation(token, isLocal)
    const [person] = await database.system<Person>(sql`
      insert into directory.people (email, role, stores, created_at, invitation_hash, invitation_until, invitation_is_local)
      select ${email.toLowerCase()}, ${role}, ${stores === null ? null : JSON.stringify(stores)}::jsonb, ${clock.now()},
        ${secrets.tokenHash(token)}, ${invitation.until}, ${isLocal}
      where (select count(*) from directory.people) < ${PEOPLE_MAX}
        or exists (select 1 from directory.people where email = ${email.toLowerCase()})
      on conflict (email) do update set ${invitation.columns}
      returning ${COLUMNS}`)
    if (!person) throw new PersonRefusal(`An installation has at most ${PEOPLE_MAX} people.`)
    return { ...person, token }
  }

  /** Gives a person another link. @returns undefined if there is no such person */
  async inviteAgain(id: number): Promise<(Person & { token: string }) | undefined> {
    const token = this.#parts.ids.clientSecret()
    const [person] = await this.#parts.database.system<Person>(sql`
      update directory.people set ${this.#invitation(token, false).columns} where id = ${id} returning ${COLUMNS}`)
    return person && { ...person, token }
  }

  #invitation(token: string, isLocal: boolean): { until: Date; columns: Sql } {
    const until = new Date(this.#parts.clock.now().getTime() + INVITATION_MS)
    const hash = this.#parts.secrets.tokenHash(token)
    return {
      until,
      columns: sql`invitation_hash = ${hash}, invitation_until = ${until}, invitation_is_local = ${isLocal}`,
    }
  }

  /** The person of a link that still works. @param isLocal whether the browser is on the machine of the server */
  async invited(token: string, isLocal: boolean): Promise<Person | undefined> {
    const { database, secrets, clock } = this.#parts
    const [person] = await database.system<Person>(sql`
      select ${COLUMNS} from directory.people
      where invitation_hash = ${secrets.tokenHash(token)} and invitation_until > ${clock.now()}
        and (${isLocal} or not invitation_is_local)`)
    return person
  }

  /**
   * Accepts an invitation, once. The sessions of a person who had a password before end.
   * @returns undefined if the link doesn't work
   */
  async accept(
    token: string,
    { name, passwordHash, isLocal }: { name: string; passwordHash: string; isLocal: boolean },
  ): Promise<Person | undefined> {
    const { database, secrets, clock } = this.#parts
    const [person] = await database.system<Person>(sql`
      with accepted as (
        update directory.people set name = ${name}, password_hash = ${passwordHash}, invitation_hash = null, invitation_until = null
        where invitation_hash = ${secrets.tokenHash(token)} and invitation_until > ${clock.now()}
          and (${isLocal} or not invitation_is_local)
        returning ${COLUMNS}
      ), ended as (
        delete from directory.person_sessions using accepted where person_id = accepted.id returning person_sessions.id
      )
      select * from accepted`)
    return person
  }

  list(): Promise<Person[]> {
    return this.#parts.database.system(sql`select ${COLUMNS} from directory.people order by id`)
  }

  /** The person of an address with the hash of the password. */
  async withPassword(email: string): Promise<(Person & { password_hash: string | null }) | undefined> {
    const [person] = await this.#parts.database.system<Person & { password_hash: string | null }>(
      prepared(sql`select ${COLUMNS}, password_hash from directory.people where email = ${email.toLowerCase()}`),
    )
    return person
  }

  /** Replaces the password of a person, and ends the other sessions. */
  async setPassword(id: number, passwordHash: string, sessionId: number) {
    await this.#parts.database.system(sql`
      with changed as (
        update directory.people set password_hash = ${passwordHash} where id = ${id} returning id
      )
      delete from directory.person_sessions using changed
      where person_id = changed.id and person_sessions.id <> ${sessionId} returning person_sessions.id`)
  }

  /**
   * Changes role and stores. The next request of the person has them; tokens for stores end.
   * @returns undefined if there is no such person
   * @throws PersonRefusal if no owner of all stores would be left
   */
  async change(id: number, { role, stores }: PersonChanges): Promise<Person | undefined> {
    const staysOwner = role === 'owner' && stores === null
    const newStores =
      stores === undefined ? sql`stores` : sql`${stores === null ? null : JSON.stringify(stores)}::jsonb`
    return this.#keepingAnOwner(
      id,
      staysOwner,
      sql`changed as (
        update directory.people set role = coalesce(${role ?? null}::text, role), stores = ${newStores}
        where id = ${id} and (select others from owners) returning ${COLUMNS}
      ), ended as (
        delete from directory.console_tokens using directory.person_sessions sessions, changed
        where session_id = sessions.id and sessions.person_id = changed.id returning console_tokens.token_hash
      )`,
    )
  }

  /** Deletes a person with the sessions. @returns undefined if there is no such person. @throws PersonRefusal for the last owner */
  remove(id: number): Promise<Person | undefined> {
    return this.#keepingAnOwner(
      id,
      false,
      sql`changed as (
        delete from directory.people where id = ${id} and (select others from owners) returning ${COLUMNS}
      )`,
    )
  }

  /** @param change a part of the statement, named `changed`, that may read whether there are other owners: `owners.others` */
  async #keepingAnOwner(id: number, isSafe: boolean, change: Sql): Promise<Person | undefined> {
    const { database } = this.#parts
    // The lock lets two owners who demote each other wait for one another.
    const [person] = await database.system<Person>(sql`
      with locked as materialized (
        select id, role, stores, password_hash from directory.people where role = 'owner' or id = ${id} order by id for update
      ), owners as materialized (
        select ${isSafe} or exists (
            select 1 from locked where id <> ${id} and role = 'owner' and stores is null and password_hash is not null
          ) or not exists (select 1 from locked where id = ${id} and role = 'owner' and password_hash is not null) as others
      ), ${change}
      select * from changed`)
    if (person) return person
    const [found] = await database.system(sql`select id from directory.people where id = ${id}`)
    if (!found) return undefined
    throw new PersonRefusal('There must be an owner of all stores. Make another person an owner first.')
  }
}
