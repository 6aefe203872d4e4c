import { describe, expect, test } from 'vitest'
import { plainPlace } from '../../core/db/engine/plain.ts'
import { Wire } from '../../core/db/wire/wire.ts'
import { rulesBrokenBy, WallWatch } from './statements.ts'

const place = plainPlace(new Wire({}, 1))
const tables = new Set(['brands', 'urls', 'counters'])

describe('a statement of a store', () => {
  test.each([
    ['select name from brands where store_id = $1 and id = $2', []],
    ['commit', []],
    ['insert into brands (store_id, id) values ($1, $2)', []],
    ['insert into "brands" ("store_id", "id") select $1, id from unnest($2::int[]) id returning id', []],
    [
      'with n as (update counters set total = total + 1 where store_id = $1 returning total) insert into brands (store_id, id) select $1, total from n returning id',
      [],
    ],
    [
      'select name from brands where id = $1',
      ['names the store for each table of a store', 'compares store_id with a parameter'],
    ],
    [
      'select 1 from brands b join urls u on u.owner_id = b.id where b.store_id = $1',
      ['names the store for each table of a store'],
    ],
    ['select name from brands where store_id = 7', ['compares store_id with a parameter']],
    ['delete from brands where store_id = $1; delete from urls where store_id = $1', ['is one command']],
    [
      "select set_config('app.store', '7', true), name from brands where store_id = $1",
      ['sets nothing outside the wall'],
    ],
    [
      'insert into brands (store_id, id) select $1, id from unnest($2::int[]) id',
      ['inserts what it selects with returning or on conflict'],
    ],
    [
      'delete from urls where store_id = $1 and (kind, owner_id) in (select kind, id from brands where store_id = $1)',
      ['compares no pair with rows of a query'],
    ],
    [
      'select relname from pg_class where store_id = $1',
      ['names the store for each table of a store', 'reads no catalog of PostgreSQL'],
    ],
  ])('%s', (text, broken) => {
    expect(rulesBrokenBy({ text, isSystem: false, isWalled: true }, tables)).toEqual(broken)
  })
})

describe('a statement of the system role', () => {
  test.each([
    ['select store_id from urls where due_at <= $1', []],
    ['select exists (select 1 from brands) as found', []],
    [
      'select exists (select from brands) as found',
      ['selects a column where it asks whether rows exist across stores'],
    ],
    ['with recursive head as (select 1) select * from head', ['neither recurses nor locks across stores']],
    ['select id from brands for update skip locked', ['neither recurses nor locks across stores']],
  ])('%s', (text, broken) => {
    expect(rulesBrokenBy({ text, isSystem: true, isWalled: false }, tables)).toEqual(broken)
  })
})

test('a statement of a store is refused without a wall before it, also where it would only find nothing', () => {
  const text = 'select name from brands where store_id = $1'
  expect(rulesBrokenBy({ text, isSystem: false, isWalled: false }, tables)).toEqual(['is behind a wall'])
})

test('a wall holds until its transaction ends', () => {
  const [wall] = place.wall(7).map(({ text }) => text)
  const toRead = place.wallToRead(7).map(({ text }) => text)
  if (wall === undefined) throw new Error('The engine has no wall.')
  const watch = new WallWatch()
  expect(watch.unwalled(['begin', wall, 'one'])).toEqual(['begin'])
  expect(watch.unwalled(['two'])).toEqual([])
  expect(watch.unwalled(['three', 'commit', 'four'])).toEqual(['four'])
  expect(watch.unwalled(['begin', 'five'])).toEqual(['begin', 'five'])
  expect(watch.unwalled(['rollback'])).toEqual([])
  expect(watch.unwalled([...toRead, 'six', 'seven'])).toEqual([])
  expect(watch.unwalled(['eight'])).toEqual(['eight'])
})
