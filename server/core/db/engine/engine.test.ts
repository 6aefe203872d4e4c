import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { connected } from '../setup/prepare.ts'
import { Wire } from '../wire/wire.ts'
import { CitusPlaces } from './citus-places.ts'
import { commandsOf } from './commands.ts'
import { engineOf } from './engine-of.ts'
import { plain, plainPlace } from './plain.ts'
import { withShardNames } from './shard-names.ts'

test('nothing outside of this folder asks which engine the database has', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const asking = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|^node_modules\/|^test\/|^core\/db\/engine\//.test(file))
    .filter((file) => {
      const code = readFileSync(`${root}/${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, '')
      return /citus|engine\.name/i.test(code)
    })
  // The command for operators shows the name.
  expect(asking.filter((file) => !file.startsWith('commands/doctor/'))).toEqual([])
})

test('a database says which engine it has', async () => {
  const found = await connected(inject('postgresUrl'), engineOf)
  expect(found.name).toBe(process.env.TEST_CITUS_URL === undefined ? 'PostgreSQL' : 'Citus')
})

/** A coordinator that answers the questions of where a store is, and the names of the tables there. */
function coordinatorThatKnows(places: () => readonly { shard: string; host: string; port: string }[]) {
  const asked: string[] = []
  const ask = async <Row>(text: string) => {
    asked.push(text)
    const names = [
      { name: 'brands', shard_name: 'brands_102' },
      { name: 'request_log.lines', shard_name: 'request_log.lines_104' },
    ]
    return (text.includes('shard_name(') ? names : places()) as Row[]
  }
  return { asked, ask }
}

function placesOf(wire: ReturnType<typeof coordinatorThatKnows>) {
  const config = { connectionString: 'postgres://storeward@coordinator:5432/storeward' }
  const places = new CitusPlaces({ config, max: 2, patience: 1, wire })
  onTestFinished(() => places.close())
  return places
}

const texts = (statements: readonly { text: string; values: readonly unknown[] }[]) =>
  statements.map(({ text, values }) => [text, values])

describe('the wall', () => {
  const one = plainPlace(new Wire({}, 1))

  test('of plain PostgreSQL is one prepared statement', () => {
    expect(one.wallToRead(7)).toEqual([
      {
        name: 'wall to read',
        text: `select set_config('app.store', $1, true), set_config('transaction_read_only', 'on', true)`,
        values: [7],
        dropsRows: true,
      },
    ])
    expect(texts(one.wall(7))).toEqual([[`select set_config('app.store', $1, true)`, [7]]])
    expect(texts(one.wall(7, { enable_sort: 'off' }))).toEqual([
      [`select set_config('app.store', $1, true), set_config('enable_sort', 'off', true)`, [7]],
    ])
  })

  test('of Citus is the same, and asks whether the rows of the store are still there', async () => {
    const place = await placesOf(coordinatorThatKnows(() => [{ shard: '101', host: 'a', port: '1' }])).of(7)
    expect(texts(place.wallToRead(7))).toEqual([
      [
        `select set_config('app.store', $1, true), set_config('transaction_read_only', 'on', true), shard_is_here($2)`,
        [7, 101],
      ],
    ])
    expect(texts(place.wall(7))).toEqual([[`select set_config('app.store', $1, true), lock_shard($2)`, [7, 101]]])
    expect(
      new Set([place.wall(7), place.wallToRead(7), one.wall(7), one.wallToRead(7)].map(([wall]) => wall?.name)).size,
    ).toBe(4)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5])('leads to no store with %s', (id) => {
    expect(one.wall(id)).toMatchObject([{ values: [0] }])
    expect(one.wallToRead(id)).toMatchObject([{ values: [0] }])
  })
})

describe('the place of a store', () => {
  test('on plain PostgreSQL is the server, whose statements stay as they are', () => {
    const wire = new Wire({}, 1)
    const places = plain.places({ config: {}, max: 1, patience: 1, wire })
    const place = places.of(7)
    expect(places.of(8)).toBe(place)
    expect(place).toMatchObject({ wire, hasAll: true })
  })

  test('on Citus is asked once, and again after it was evicted', async () => {
    let at = { shard: '101', host: 'a', port: '1' }
    const coordinator = coordinatorThatKnows(() => [at])
    const places = placesOf(coordinator)
    const [first, second] = await Promise.all([places.of(7), places.of(7)])
    expect(second).toBe(first)
    expect(places.of(7)).toBe(first)
    expect(await places.of(8), 'another store of the shard').toBe(first)
    expect(first.urlFor('postgres://storeward_fork:secret@coordinator:5432/storeward?sslmode=require')).toBe(
      'postgres://storeward_fork:secret@a:1/storeward?sslmode=require',
    )
    at = { ...at, host: 'b' }
    expect(places.of(7)).toBe(first)
    places.evict(7)
    const moved = await places.of(7)
    expect(moved.urlFor('postgres://storeward@coordinator/storeward')).toBe('postgres://storeward@b:1/storeward')
    expect(places.of(8), 'until a wall refuses it').toBe(first)
    expect(coordinator.asked.filter((text) => text.includes(`column('store_profiles', 7)`))).toHaveLength(2)
  })

  test('on Citus that could not be asked is asked again', async () => {
    const found: { shard: string; host: string; port: string }[] = []
    const places = placesOf(coordinatorThatKnows(() => found))
    await expect(places.of(7)).rejects.toThrow('The store 7 is on no node.')
    found.push({ shard: '101', host: 'a', port: '1' })
    expect((await places.of(7)).tableOf('brands')).toBe('brands_102')
  })
})

describe('a statement at the node of a store', () => {
  const names = new Map(
    Object.entries({ brands: 'brands_2', urls: '"urls_3"', 'request_log.lines': 'request_log.lines_4' }),
  )

  test.each([
    ['commit', 'commit'],
    ['select name from brands where store_id = $1', 'select name from brands_2 as "brands" where store_id = $1'],
    ['select b.name from brands b, "urls" as u', 'select b.name from brands_2 b, "urls_3" as u'],
    ['select 1 from request_log . "lines"', 'select 1 from request_log.lines_4 as "lines"'],
    [
      'with next as (insert into brands as b (id) select 1 on conflict (id) do update set id = b.id + 1 returning id) insert into urls (id) select id from next',
      'with next as (insert into brands_2 as b (id) select 1 on conflict (id) do update set id = b.id + 1 returning id) insert into "urls_3" as "urls" (id) select id from next',
    ],
    [
      'update brands set name = urls.name from urls where brands.id = urls.id',
      'update brands_2 as "brands" set name = urls.name from "urls_3" as "urls" where brands.id = urls.id',
    ],
    [
      'delete from brands where exists (select from urls)',
      'delete from brands_2 as "brands" where exists (select from "urls_3" as "urls")',
    ],
    ['select id from brands for update of brands', 'select id from brands_2 as "brands" for update of brands'],
    [
      `select 'from brands', brands.id "brands" -- brands\nfrom brands`,
      `select 'from brands', brands.id "brands" -- brands\nfrom brands_2 as "brands"`,
    ],
    [`select 'Käse €' as "ß" from brands`, `select 'Käse €' as "ß" from brands_2 as "brands"`],
    [
      'select * from json_populate_recordset(null::brands, $1)',
      'select * from json_populate_recordset(null::brands, $1)',
    ],
    ['select 1 from pg_locks, information_schema.tables', 'select 1 from pg_locks, information_schema.tables'],
    ['select * from unnest($1::int[]) brands', 'select * from unnest($1::int[]) brands'],
  ])('%s', (text, renamed) => {
    expect(withShardNames(text, names)).toBe(renamed)
    // It was read before.
    expect(withShardNames(text, names)).toBe(renamed)
  })

  test.each(['select 1 from directory.stores', 'select 1 from coupons', 'select 1 from lines'])(
    'is refused with a table that has no shard: %s',
    (text) => {
      expect(() => withShardNames(text, names)).toThrow('has no rows of stores.')
    },
  )

  test('that concerns all stores of a node unites its shards, behind a look whether it has others', async () => {
    const rows = [
      { name: 'store_profiles', shard_name: 'store_profiles_1', node: 'a:1', shard: '1' },
      { name: 'store_profiles', shard_name: 'store_profiles_2', node: 'b:1', shard: '2' },
      { name: 'store_profiles', shard_name: 'store_profiles_3', node: 'a:1', shard: '3' },
      { name: 'due_hooks', shard_name: 'due_hooks_4', node: 'a:1', shard: null },
      { name: 'due_hooks', shard_name: 'due_hooks_5', node: 'b:1', shard: null },
      { name: 'due_hooks', shard_name: 'due_hooks_6', node: 'a:1', shard: null },
    ]
    const asked: string[] = []
    const ask = async <Row>(text: string) => {
      asked.push(text)
      return rows as Row[]
    }
    const places = placesOf({ asked, ask })
    const [first, second, ...others] = await places.nodes()
    expect(others).toEqual([])
    const look = { text: 'select store_id from due_hooks where due_at <= $1', values: ['now'] }
    expect(texts(first?.inForm(look) ?? [])).toEqual([
      ['select shards_are($1::bigint[])', [[1, 3]]],
      [
        'select store_id from (select * from due_hooks_4 union all select * from due_hooks_6) as "due_hooks" where due_at <= $1',
        ['now'],
      ],
    ])
    expect(texts(second?.inForm(look) ?? [])[0]).toEqual(['select shards_are($1::bigint[])', [[2]]])
    await places.nodes()
    expect(asked).toHaveLength(1)
    places.evictNodes()
    await places.nodes()
    expect(asked).toHaveLength(2)
  })

  test('is prepared for each shard, under a name of its own', async () => {
    const places = placesOf(coordinatorThatKnows(() => [{ shard: '101', host: 'a', port: '1' }]))
    const place = await places.of(7)
    const statements = [
      { name: 'brand', text: 'select name from brands', values: [1] },
      { text: 'select name from brands', values: [] },
      { name: 'one', text: 'select 1', values: [] },
    ]
    expect(place.inForm(statements)).toEqual([
      { name: '101 brand', text: 'select name from brands_102 as "brands"', values: [1] },
      { text: 'select name from brands_102 as "brands"', values: [] },
      { name: 'one', text: 'select 1', values: [] },
    ])
  })
})

describe('the commands of a text', () => {
  test.each([
    ['', []],
    ['select 1', ['select 1']],
    ['select 1;\n-- the rest; of a line\nselect 2;\n', ['select 1', 'select 2']],
    [`insert into a values ('x;y', "b;c"); /* ; */ select 2`, [`insert into a values ('x;y', "b;c")`, 'select 2']],
    [`select '--no comment', 'it''s;'; select 2`, [`select '--no comment', 'it''s;'`, 'select 2']],
    [
      'do $$ begin perform 1; end $$; do $x$ begin; $$ end; $x$',
      ['do $$ begin perform 1; end $$', 'do $x$ begin; $$ end; $x$'],
    ],
    ['alter table a add column b int, drop column c', ['alter table a add column b int, drop column c']],
    [
      'alter table a\n  add column b numeric(3, 1),\n  add constraint c check (b in (1, 2)),\n  drop column d',
      [
        'alter table a add column b numeric(3, 1)',
        'alter table a add constraint c check (b in (1, 2))',
        'alter table a drop column d',
      ],
    ],
    ['alter table only s."A b" add constraint c unique (d)', ['alter table only s."A b" add constraint c unique (d)']],
  ])('%s', (text, commands) => {
    expect(commandsOf(text)).toEqual(commands)
  })

  test('of the migrations are all of them', () => {
    const folder = fileURLToPath(new URL('../migrations/cell', import.meta.url))
    for (const file of readdirSync(folder)) {
      const text = readFileSync(`${folder}/${file}`, 'utf8')
      const words = (whole: string) => whole.replaceAll(/--[^\n]*/g, '').match(/[a-z_0-9]+/gi) ?? []
      // An `alter table` that is split has its beginning several times.
      expect(new Set(words(commandsOf(text).join(' '))), file).toEqual(new Set(words(text)))
    }
  })
})
