import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const { settings, folder } = await openCommandStores('bundles', ['shop1', 'shop2', 'shop3'])
const run = (...args: string[]) => command(args, { ...settings, PUBLIC_URL: 'http://shop.test' })
const at = (name: string) => join(folder, name)

test('a store is exported to an archive and imported into another store', async () => {
  expect((await run('seed', '--store', 'shop1', '--size', 'tiny')).code).toBe(0)
  const exported = await run('export', 'shop1', '--to', at('one.tar'), '--json')
  expect([exported.code, exported.err]).toEqual([0, ''])
  const { rows } = JSON.parse(exported.out)
  expect(rows).toMatchObject({ products: 12, channels: expect.any(Number), 'customer-groups': expect.any(Number) })
  expect(existsSync(at('one.tar.part'))).toBe(false)

  const imported = await run('import', at('one.tar'), '--store', 'shop2', '--json')
  expect([imported.code, imported.err], imported.out).toEqual([0, ''])
  const report = JSON.parse(imported.out)
  expect(report).toMatchObject({ refused: [], refusals: 0, dropped: {} })
  for (const kind of ['products', 'categories', 'brands', 'stock', 'locations', 'pickup-methods'])
    expect(report.rows[kind]).toBe(rows[kind])
  // The second run finds everything there.
  const again = await run('import', at('one.tar'), '--store', 'shop2', '--json')
  expect(JSON.parse(again.out)).toEqual(report)
  expect((await run('import', 'ids', 'shop2', '--kind', 'products', '--old', '3')).out).toBe(
    'KIND      OLD  NEW\nproducts  3    3\n',
  )
  const ids = await run('import', 'ids', 'shop2', '--kind', 'products', '--old', '3', '--json')
  expect(JSON.parse(ids.out)).toEqual([{ kind: 'products', old_id: '3', new_id: '3' }])
  // The same rows, except for ids and times, in a folder.
  expect((await run('export', 'shop2', '--to', at('two/'))).out).toMatch(/two\/ has \d+ rows of store shop2\.\n$/)
  const other = await run('export', 'shop2', '--to', at('two/'))
  expect(other).toMatchObject({ code: 1, err: `${at('two/')} has a bundle already.\n` })
})

test('the fixture of a store goes to a file or to standard output', async () => {
  const written = await run('seed', 'export', 'shop1', '--to', at('fixture.json'))
  expect([written.code, written.err, written.out]).toEqual([
    0,
    '',
    `${at('fixture.json')} has the fixture of store shop1.\n`,
  ])
  const fixture = JSON.parse(await readFile(at('fixture.json'), 'utf8'))
  expect(Object.keys(fixture.products)).toHaveLength(12)
  expect(JSON.parse((await run('seed', 'export', 'shop1')).out)).toEqual(fixture)
  expect((await run('seed', 'export', 'shop9')).err).toBe('There is no store "shop9".\n')
})

test('a real store with data asks for its hash, and other mistakes have their sentences', async () => {
  await run('export', 'shop3', '--to', at('empty.tar'), '--only', 'catalog')
  const refused = async (...args: string[]) => {
    const { code, err } = await run(...args)
    expect(code).toBe(1)
    return err
  }
  expect(await refused('export', 'shop9', '--to', at('x.tar'))).toBe('There is no store "shop9".\n')
  expect(existsSync(at('x.tar')) || existsSync(at('x.tar.part'))).toBe(false)
  expect(await refused('export', 'shop1', '--to', at('x.tar'), '--only', 'quotes')).toContain(
    'there is no area "quotes"',
  )
  expect(await refused('import', at('none.tar'), '--store', 'shop3')).toBe(`There is no bundle at ${at('none.tar')}.\n`)
  expect(await refused('import', at('empty.tar'))).toBe('Name the bundle, and the store: --store <hash>.\n')
  await writeFile(at('token.txt'), 'secret')
  const hosted = (...args: string[]) => refused('import', 'hosted', '--token-file', at('token.txt'), ...args)
  expect(await hosted('--url', 'https://api.example.com/stores/abc123')).toBe(
    'Name the store and the folder of the bundle: --url <url> --to <folder>.\n',
  )
  expect(await hosted('--back', '--store', 'shop2')).toBe(
    'Name the imported store and a bundle of it: --store <hash> --since <bundle>.\n',
  )
  expect(await hosted('--back', '--store', 'shop9', '--since', at('one.tar'))).toBe('There is no store "shop9".\n')
  expect(await hosted('--back', '--store', 'shop2', '--since', at('one.tar'))).toBe(
    'The rows of store shop2 do not come from another server.\n',
  )
  await writeFile(at('text.tar'), 'x'.repeat(2_000))
  expect(await refused('import', at('text.tar'), '--store', 'shop3')).toBe(
    'The archive is not a tar archive, or damaged.\n',
  )
  expect(await refused('import', at('empty.tar'), '--store', 'shop2', '--yes')).toBe(
    'The store shop2 has rows of another bundle. Import this one into a new store.\n',
  )
})
