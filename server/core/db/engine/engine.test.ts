import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../database.ts'
import { connected } from '../setup/prepare.ts'
import { citus } from './citus.ts'
import { commandsOf } from './commands.ts'
import { engineOf } from './engine-of.ts'
import { plain } from './plain.ts'

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

describe('the wall', () => {
  test('of plain PostgreSQL is one prepared statement', () => {
    expect(plain.wallToRead(7)).toEqual([
      {
        name: 'wall to read',
        text: `select set_config('app.store', $1, true), set_config('transaction_read_only', 'on', true)`,
        values: [7],
        dropsRows: true,
      },
    ])
    expect(plain.wall(7)).toMatchObject([{ text: `select set_config('app.store', $1, true)`, values: [7] }])
    expect(plain.wall(7, { enable_sort: 'off' })).toMatchObject([
      { text: `select set_config('app.store', $1, true), set_config('enable_sort', 'off', true)`, values: [7] },
    ])
    expect(plain.endOfRead).toBeUndefined()
  })

  test('of Citus is set on all nodes, behind a begin and before a commit', () => {
    expect(citus.wallToRead(7).map(({ text }) => text)).toEqual(['begin read only', 'set local app.store = 7'])
    expect(citus.endOfRead?.text).toBe('commit')
    expect(
      citus.wall(7, { enable_sort: 'off', plan_cache_mode: 'force_generic_plan' }).map(({ text }) => text),
    ).toEqual(['set local app.store = 7', `set local enable_sort = 'off'`])
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5])('leads to no store with %s', (id) => {
    expect(plain.wall(id)).toMatchObject([{ values: [0] }])
    expect(citus.wall(id)).toMatchObject([{ text: 'set local app.store = 0' }])
  })
})

describe('reads on Citus', () => {
  /** A node that answers questions, and says which statements it got. */
  function coordinatorThatKnows(places: () => { host: string; port: string }[]) {
    const sent: string[] = []
    const send = async (_: number, statements: readonly { text: string }[]) => {
      sent.push(...statements.map(({ text }) => text))
      return []
    }
    return { sent, send, sendShared: send, ask: async <Row>() => places() as Row[] }
  }
  const one = { text: 'select 1 as one', values: [] }
  const url = new URL(inject('postgresUrl'))
  const routesOf = (wire: ReturnType<typeof coordinatorThatKnows>) => {
    const routes = citus.readRoutes({ config: { connectionString: url.href }, max: 2, patience: 1, wire })
    if (!routes) throw new Error('Citus has several nodes.')
    onTestFinished(() => routes.close())
    return routes
  }

  test('leave to the node that has the rows, and to the coordinator until it is known', async () => {
    const coordinator = coordinatorThatKnows(() => [{ host: url.hostname, port: url.port }])
    const routes = routesOf(coordinator)
    expect(routes.of(7)).toBe(coordinator)
    await vi.waitFor(() => expect(routes.of(7)).not.toBe(coordinator))
    for (const send of ['send', 'sendShared'] as const) {
      expect(await routes.of(7)[send](7, [one])).toMatchObject([{ rows: [{ one: 1 }] }])
    }
    expect(coordinator.sent).toEqual([])
  })

  test('leave to the coordinator if it has the rows itself, or does not say who has', async () => {
    for (const places of [
      () => [],
      () => {
        throw new DatabaseUnavailable('of a test')
      },
    ]) {
      const coordinator = coordinatorThatKnows(places)
      const routes = routesOf(coordinator)
      await routes.of(7).send(7, [one])
      await routes.of(7).sendShared(7, [one])
      expect(coordinator.sent).toEqual([one.text, one.text])
    }
  })

  test('leave to the coordinator behind a failure of their node', async () => {
    const coordinator = coordinatorThatKnows(() => [{ host: '127.0.0.1', port: '1' }])
    const routes = routesOf(coordinator)
    await vi.waitFor(() => expect(routes.of(7)).not.toBe(coordinator))
    await expect(routes.of(7).send(7, [one])).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(routes.of(7)).toBe(coordinator)
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
