import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const { settings, folder, query } = await openCommandStores('carriers')

const run = (...args: string[]) => command(['carrier', ...args], settings)

test('a carrier is registered, listed and removed', async () => {
  const schema = join(folder, 'schema.json')
  await writeFile(schema, JSON.stringify([{ code: 'key', label: 'Key', type: 'string', default_value: '' }]))
  const secret = join(folder, 'secret')
  await writeFile(secret, 'between us\n')
  const urls = ['--rate-url', 'https://rates.example.com/rate', '--check-url', 'https://rates.example.com/check']
  const more = ['--name', 'One', '--rate-ms', '900', '--connection-schema', schema, '--secret', secret]
  expect(await run('set', 'shop1', 'carrier_1', ...urls, ...more)).toEqual({
    code: 0,
    out: 'The carrier carrier_1 is registered. The server knows it at once.\n',
    err: '',
  })
  expect((await run('set', 'shop1', 'carrier_1', '--multi')).code).toBe(0)
  expect((await run('list', 'shop1')).out).toBe(
    'CARRIER    NAME  KIND   CHECKS  SIGNED  TIME    RATE ADDRESS\n' +
      'carrier_1  One   multi  yes     yes     900 ms  https://rates.example.com/rate\n',
  )
  const listed = await run('list', 'shop1', '--json')
  expect(JSON.parse(listed.out)).toMatchObject([{ carrier_id: 'carrier_1', connection_schema: [{ code: 'key' }] }])
  expect(listed.out).not.toContain('between us')
  expect((await run('set', 'shop1', 'carrier_2')).code).toBe(1)
  expect((await run('remove', 'shop1', 'carrier_1')).out).toBe('The carrier carrier_1 is removed.\n')
  expect((await run('remove', 'shop1', 'carrier_1')).code).toBe(1)
})

test('the options of a parcel are shown', async () => {
  const file = join(folder, 'parcel.json')
  const options = () => command(['shipping', 'options', 'shop1', '--file', file], settings)
  await writeFile(file, JSON.stringify({ destination: { country_iso2: 'DK' }, lines: [{ quantity: 2, value: 40 }] }))
  expect(await options()).toEqual({ code: 0, out: 'No shipping zone serves this address.\n', err: '' })
  await openZone()
  expect((await options()).out).toBe(
    'Zone 1 "World"\n' +
      'METHOD  TYPE     OPTION  TIME  COST   HANDLING\n' +
      '1       peritem  Post          8 USD  0 USD\n',
  )
  await writeFile(file, '{"destination":{"country_iso2":"DK"},"lines":[]}')
  expect(await options()).toMatchObject({ code: 1, err: expect.stringContaining('/lines') })
  await writeFile(file, '{"destination":{"country_iso2":"DK"},"currency":"SEK","lines":[{"quantity":1,"value":1}]}')
  expect(await options()).toMatchObject({ code: 1, err: 'The store does not have the currency SEK.\n' })
})

/** A zone of the store, as its client would create it. */
async function openZone() {
  const { rows } = await query('select store_id from currencies')
  const id = Number(rows[0].store_id)
  await query(
    `insert into shipping_zones (store_id, id, name, type, enabled, free_shipping, handling_fees)
     values ($1, 1, 'World', 'global', true, '{"enabled":false,"minimum_sub_total":0}', '{}')`,
    [id],
  )
  await query(
    `insert into shipping_methods (store_id, id, zone_id, name, type, settings, enabled, handling_fees, is_fallback, channel_ids)
     values ($1, 1, 1, 'Post', 'peritem', '{"rate":4}', true, '{}', false, null)`,
    [id],
  )
}
