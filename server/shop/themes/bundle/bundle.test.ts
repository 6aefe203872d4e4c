import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { bundleOf, files, themeBundle } from '../../../test/fixtures/themes.ts'
import { Archive } from './archive.ts'
import { readBundle } from './bundle.ts'
import { readThemeConfig } from './config.ts'
import { repack } from './repack.ts'
import { readBundleInProcess, repackInProcess } from './separate-process.ts'

// The allowed contents of an uploaded archive (docs/contract/themes.md section 3; C-091, C-092).

const MIB = 1024 * 1024

interface TestEntry {
  name: string | Buffer
  bytes?: Buffer
  method?: number
  flags?: number
  /** Upper half: kind and rights of a file on Unix. */
  attributes?: number
  /** False statements of its headers, instead of the true values. */
  packedSize?: number
  size?: number
  checksum?: number
  extra?: Buffer
  /** The stated position. */
  offset?: number
  /** The stated system of its maker: 3 is Unix. */
  host?: number
  /** Its own header in the archive, where that differs from the list of files. */
  local?: Partial<Pick<TestEntry, 'name' | 'method' | 'flags' | 'size' | 'checksum' | 'packedSize'>>
}

/** An archive, right or wrong. */
function zipOf(entries: readonly TestEntry[], { count = entries.length }: { count?: number } = {}): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const {
      bytes = Buffer.from('x'),
      method = 8,
      flags = 0x800,
      attributes = 0o100_644,
      extra = Buffer.alloc(0),
    } = entry
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const header = (stated: TestEntry) => {
      const common = Buffer.alloc(26)
      common.writeUInt16LE(20, 0)
      common.writeUInt16LE(stated.flags ?? flags, 2)
      common.writeUInt16LE(stated.method ?? method, 4)
      common.writeUInt32LE(stated.checksum ?? crc32(bytes), 10)
      common.writeUInt32LE(stated.packedSize ?? packed.length, 14)
      common.writeUInt32LE(stated.size ?? bytes.length, 18)
      common.writeUInt16LE(Buffer.from(stated.name).length, 22)
      return common
    }
    const own = { ...entry, ...entry.local }
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header(own), Buffer.from(own.name), packed])
    const name = Buffer.from(entry.name)
    const common = header(entry)
    common.writeUInt16LE(extra.length, 24)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((attributes << 16) >>> 0, 6)
    rest.writeUInt32LE(entry.offset ?? at, 10)
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, entry.host ?? 3]), common, rest, name, extra]),
    )
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}

let place: Promise<string> | undefined
/** The codes of the faults of an archive; none if it is valid. */
async function codesOf(bytes: Buffer): Promise<string[]> {
  place ??= mkdtemp(join(inject('folder'), 'bundles-'))
  const path = join(await place, 'theme.zip')
  await writeFile(path, bytes)
  try {
    await readBundle(path)
    return []
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const codes = [...error.message.matchAll(/\((TR-\d+)\)/g)].map(([, code = '']) => code)
    if (codes.length === 0) throw error
    return [...new Set(codes)]
  } finally {
    // Nothing is unpacked to the disk.
    expect(await readdir(await place)).toEqual(['theme.zip'])
  }
}

const ok = (name: string | Buffer) => ({ name })
const unixLink = Buffer.concat([Buffer.from([0x0d, 0, 20, 0]), Buffer.alloc(20)])
const zeros = (mib: number) => Buffer.alloc(mib * MIB)

test.each<[string, () => Buffer, string]>([
  ['no zip', () => Buffer.from('This is a text, and no archive at all.'), 'TR-300'],
  ['nothing', () => Buffer.alloc(0), 'TR-300'],
  ['a truncated archive', () => zipOf([ok('config.json')]).subarray(0, 60), 'TR-300'],
  ['an encrypted file', () => zipOf([{ name: 'a.txt', flags: 0x801 }]), 'TR-300'],
  ['another method than deflate', () => zipOf([{ name: 'a.txt', method: 12 }]), 'TR-300'],
  ['a large source map', () => zipOf([{ name: 'a.js.map', size: 6 * MIB }]), 'TR-300'],
  ['a list of files that breaks off', () => zipOf([ok('a.txt')], { count: 5 }), 'TR-300'],
  ['../x', () => zipOf([ok('../x.txt')]), 'TR-400'],
  ['a path with .. inside', () => zipOf([ok('a/../../x.txt')]), 'TR-400'],
  ['an absolute path', () => zipOf([ok('/abs.txt')]), 'TR-400'],
  ['a drive', () => zipOf([ok('C:/x.txt')]), 'TR-400'],
  ['backslashes', () => zipOf([ok('..\\x.txt')]), 'TR-400'],
  ['a symbolic link', () => zipOf([{ name: 'a.txt', attributes: 0o120_777 }]), 'TR-400'],
  ['a symbolic link made on Darwin', () => zipOf([{ name: 'a.txt', attributes: 0o120_777, host: 19 }]), 'TR-400'],
  ['a symbolic link of an unknown system', () => zipOf([{ name: 'a.txt', attributes: 0o120_777, host: 0 }]), 'TR-400'],
  ['a header that names ../../', () => zipOf([{ name: 'a.txt', local: { name: '../../a.txt' } }]), 'TR-400'],
  ['a header that names another file', () => zipOf([{ name: 'a.txt', local: { name: 'b.txt' } }]), 'TR-400'],
  [
    'a folder whose header names ../../',
    () => zipOf([{ name: 'a/', bytes: Buffer.alloc(0), local: { name: '../../' } }, ok('b.txt')]),
    'TR-400',
  ],
  ['a header with another size', () => zipOf([{ name: 'a.txt', local: { size: 2 } }]), 'TR-301'],
  ['a header with another packed size', () => zipOf([{ name: 'a.txt', local: { packedSize: 2 } }]), 'TR-301'],
  ['a header with another checksum', () => zipOf([{ name: 'a.txt', local: { checksum: 2 } }]), 'TR-301'],
  ['a header with another method', () => zipOf([{ name: 'a.txt', local: { method: 0 } }]), 'TR-301'],
  ['a header that says it is encrypted', () => zipOf([{ name: 'a.txt', local: { flags: 0x801 } }]), 'TR-301'],
  ['40 folders in folders', () => zipOf([ok(`${'a/'.repeat(40)}x.txt`)]), 'TR-400'],
  [
    'more than 10,000 folders in its paths',
    () => zipOf(Array.from({ length: 1_000 }, (_, i) => ok(`${i}/${'a/'.repeat(11)}x.txt`))),
    'TR-301',
  ],
  ['a hard link', () => zipOf([{ name: 'a.txt', extra: unixLink }]), 'TR-400'],
  ['a device', () => zipOf([{ name: 'a.txt', attributes: 0o020_644 }]), 'TR-400'],
  ['the name of a device', () => zipOf([ok('assets/con.txt')]), 'TR-400'],
  ['a name of 64 KiB', () => zipOf([ok(`${'a'.repeat(65_531)}.txt`)]), 'TR-400'],
  ['a name with NUL', () => zipOf([ok('a\0.txt')]), 'TR-400'],
  ['an extension that is not allowed', () => zipOf([ok('run.exe')]), 'TR-400'],
  ['an archive in the archive', () => zipOf([{ name: 'inner.zip', bytes: zipOf([ok('a.txt')]) }]), 'TR-400'],
  ['two names that differ in case', () => zipOf([ok('a/B.txt'), ok('a/b.txt')]), 'TR-400'],
  ['two names that differ in composition', () => zipOf([ok('é.txt'), ok('e\u0301.txt')]), 'TR-400'],
  ['one name twice', () => zipOf([ok('a.txt'), ok('a.txt')]), 'TR-400'],
  ['a folder with the name of a file', () => zipOf([ok('.a'), ok('.a/b.txt')]), 'TR-400'],
  ['more than 10,000 entries', () => zipOf(Array.from({ length: 10_001 }, (_, i) => ok(`${i}.txt`))), 'TR-301'],
  ['files that overlap', () => zipOf([ok('a.txt'), { name: 'b.txt', offset: 0 }]), 'TR-301'],
  ['a file beyond the end', () => zipOf([{ name: 'a.txt', packedSize: 10_000_000 }]), 'TR-301'],
  ['10 GB, as it says', () => zipOf([{ name: 'a.txt', size: 0xfffffff0 }]), 'TR-500'],
  [
    '250 MiB of several files, as they say',
    () => zipOf(Array.from({ length: 6 }, (_, i) => ({ name: `${i}.txt`, size: 45 * MIB }))),
    'TR-301',
  ],
  ['a file larger than it says', () => zipOf([{ name: 'a.txt', bytes: zeros(2), size: 10 }]), 'TR-301'],
  ['a file smaller than it says', () => zipOf([{ name: 'a.txt', size: 10 }]), 'TR-301'],
  ['a large file larger than it says', () => zipOf([{ name: 'a.txt', bytes: zeros(3), size: 2 * MIB }]), 'TR-301'],
  ['a wrong checksum', () => zipOf([{ name: 'a.txt', checksum: 1 }]), 'TR-301'],
  ['a ratio of 1:1000', () => zipOf([{ name: 'a.txt', bytes: zeros(30) }]), 'TR-301'],
  [
    'a ratio of 1:1000 in many small files',
    () => zipOf(Array.from({ length: 20 }, (_, i) => ({ name: `${i}.txt`, bytes: zeros(1) }))),
    'TR-301',
  ],
])('an archive with %s is refused', async (_, bytes, code) => {
  expect(await codesOf(bytes())).toEqual([code])
})

test('any damage of a valid archive is reported, and breaks nothing', async () => {
  const good = await themeBundle()
  expect(await codesOf(good)).toEqual([])
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }), async (at, bytes) => {
      const bad = Buffer.from(good)
      bad.set(bytes.slice(0, bad.length - at), at)
      expect(Array.isArray(await codesOf(bad))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

const config = (changes: object) => ({
  'config.json': JSON.stringify({
    meta: { author_name: 'a', author_email: 'b', author_support_url: 'c' },
    settings: {},
    ...changes,
  }),
})
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
const variation = (id: unknown) => ({ name: 'One', id, meta: { description: '' } })
const schema = (value: unknown) => ({ 'schema.json': JSON.stringify(value) })
const element = (value: object) => schema([{ name: 'Group', settings: [value] }])

test.each<[string, Record<string, string | null>, string[]]>([
  ['nothing wrong', {}, []],
  ['no schema.json', { 'schema.json': null }, []],
  ['an enclosing folder of its own', {}, []],
  ['no home template', { 'templates/pages/home.html': null }, ['TR-600']],
  ['a template without its parsed file', { 'templates/pages/new.html': 'x' }, ['TR-601']],
  ['something else among the templates', { 'templates/notes.txt': 'x' }, ['TR-601']],
  ['a parsed template of 1 MiB', { 'parsed/templates/x.json': 'x'.repeat(MIB) }, ['TR-500']],
  ['no config.json', { 'config.json': null }, ['TR-800']],
  ['config.json that is not JSON', { 'config.json': '{' }, ['TR-800']],
  ['config.json that is not an object', { 'config.json': '[]' }, ['TR-800']],
  ['config.json with NUL', { 'config.json': '{"name":"\\u0000"}' }, ['TR-800']],
  ['config.json with NUL in a name', { 'config.json': '{"\\u0000":1}' }, ['TR-800']],
  ['config.json of more than 1 MiB', config({ settings: { a: 'x'.repeat(MIB) } }), ['TR-800']],
  [
    'config.json nested 200,000 levels deep',
    { 'config.json': `{"meta":${'['.repeat(200_000)}${']'.repeat(200_000)}}` },
    ['TR-800'],
  ],
  ['config.json nested 33 levels deep', config({ settings: { a: nested(31) } }), ['TR-800']],
  ['config.json nested 32 levels deep', config({ settings: { a: nested(30) } }), []],
  ['config.json of 60,000 values', config({ settings: Array.from({ length: 60_000 }, () => 1) }), ['TR-800']],
  [
    'config.json of 1 MiB of variations',
    config({ variations: Array.from({ length: 40_000 }, (_, i) => ({ id: `v${i}` })) }),
    ['TR-800'],
  ],
  [
    'schema.json nested 200,000 levels deep',
    { 'schema.json': `${'['.repeat(200_000)}${']'.repeat(200_000)}` },
    ['TR-1000'],
  ],
  ['settings that are no object', config({ settings: 1 }), ['TR-800']],
  ['five variations', config({ variations: ['a', 'b', 'c', 'd', 'e'].map(variation) }), ['TR-800']],
  ['no developer data', { 'config.json': '{"meta":{"author_name":""}}' }, ['TR-900']],
  ['a variation without id', config({ variations: [variation(undefined)] }), ['TR-901']],
  ['two variations with one id', config({ variations: [variation('a'), variation('a')] }), ['TR-902']],
  ['schema.json that is not JSON', { 'schema.json': '[' }, ['TR-1000']],
  ['schema.json that is not a list', schema({}), ['TR-1002']],
  ['a group without name', schema([{ settings: [] }]), ['TR-1003']],
  ['a group without settings', schema([{ name: 'Group' }]), ['TR-1004']],
  ['a setting of no known type', element({ type: 'slider', id: 'a', label: 'a' }), ['TR-1005']],
  ['a heading without content', element({ type: 'heading' }), ['TR-1005']],
  ['a select without options', element({ type: 'select', id: 'a', label: 'a' }), ['TR-1005']],
  ['schema.json of more than 1 MiB', schema([{ name: 'x'.repeat(MIB), settings: [] }]), ['TR-1006']],
  ['front matter without end', { 'templates/pages/home.html': '---\nproducts:\n' }, ['TR-1400']],
  [
    'a long text',
    { ...config({ settings: { a: 'x'.repeat(65) } }), ...element({ type: 'text', id: 'a', label: 'a' }) },
    ['TR-4400'],
  ],
])('a bundle with %s has the codes of it', async (_, changes, codes) => {
  expect(await codesOf(await bundleOf(changes))).toEqual(codes)
})

test('variations are counted before any is looked at, however many there are', () => {
  // The ids of all of them were compared with each other.
  const text = JSON.stringify({ variations: Array.from({ length: 20_000 }, () => ({ id: 'same' })) })
  expect(() => readThemeConfig(Buffer.from(text))).toThrow(
    /^config.json has 20000 variations. At most 4 are allowed. \(TR-800\)$/,
  )
})

describe('a bundle that is right', () => {
  test('may be packed with its folder, and with entries for folders', async () => {
    const inner = [...(await files(await themeBundle()))].map(([path, bytes]) => ({ name: `my-theme/${path}`, bytes }))
    expect(
      await codesOf(zipOf([{ name: 'my-theme/', bytes: Buffer.alloc(0), attributes: 0o040_755 }, ...inner])),
    ).toEqual([])
  })

  test('gets warnings about missing optional parts', async () => {
    const path = join(await mkdtemp(join(inject('folder'), 'bundle-')), 'theme.zip')
    const png = Buffer.alloc(24)
    png.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
    const named = { author_name: 'a', author_email: 'b', author_support_url: 'c', composed_image: 'a.png' }
    await writeFile(
      path,
      await bundleOf({
        ...config({ meta: named, name: 'Mine' }),
        'schema.json': null,
        'meta/a.png': Buffer.concat([png, Buffer.alloc(40)]),
      }),
    )
    const parts: number[] = []
    const bundle = await readBundle(path, (part) => parts.push(part))
    expect(bundle).toMatchObject({ config: { name: 'Mine' }, schema: null, custom_templates: { page: ['about.html'] } })
    expect(bundle.warnings).toEqual([
      'The theme has no schema.json and cannot be edited.',
      'The screenshot "a.png" must have 600x760 pixels.',
    ])
    expect(parts).toEqual(parts.toSorted((one, other) => one - other))
    expect(parts.at(-1)).toBeGreaterThan(0.9)
  })
})

test('a separate process gives the same results, and ends when its time is over', async () => {
  const path = join(await mkdtemp(join(inject('folder'), 'bundles-')), 'theme.zip')
  await writeFile(path, await themeBundle())
  const parts: number[] = []
  expect(await readBundleInProcess(path, (part) => parts.push(part))).toEqual(await readBundle(path))
  expect(parts.at(-1)).toBeGreaterThan(0.9)
  expect(parts).toEqual(parts.toSorted((one, other) => one - other))
  await writeFile(path, await bundleOf({ 'config.json': '{"meta":{}}' }))
  const faults = await readBundle(path).catch((error) => error)
  await expect(readBundleInProcess(path)).rejects.toEqual(faults)
  await expect(readBundleInProcess(`${path}.gone`)).rejects.toThrow('ENOENT')
  const ending = new AbortController()
  const reading = readBundleInProcess(path, undefined, ending.signal)
  ending.abort(new Error('Its time is over.'))
  await expect(reading).rejects.toThrow('Its time is over.')
  await writeFile(path, await themeBundle())
  expect((await readBundleInProcess(path)).warnings).toEqual((await readBundle(path)).warnings)
})

describe('an archive that is repacked', () => {
  const folderOf = () => mkdtemp(join(inject('folder'), 'repacked-'))

  test('has all files as they were packed, and others in place of those that are replaced', async () => {
    const folder = await folderOf()
    const [from, to] = [join(folder, 'theme.zip'), join(folder, 'other.zip')]
    // Another packer would compress this text, which is stored uncompressed.
    const text = Buffer.from('long '.repeat(1_000))
    const inner: TestEntry[] = [...(await files(await themeBundle()))].map(([path, bytes], i) => ({
      name: `my-theme/${path}`,
      bytes,
      method: i % 2 === 0 ? 0 : 8,
    }))
    const all = [...inner, { name: 'my-theme/assets/a.txt', bytes: text, method: 0 }]
    await writeFile(from, zipOf([{ name: 'my-theme/', bytes: Buffer.alloc(0), attributes: 0o040_755 }, ...all]))
    const written = await repack({ from, to, replaced: { 'config.json': '{"name":"é"}' } })
    const bytes = await readFile(to)
    expect(written).toEqual({ digest: createHash('sha256').update(bytes).digest('hex'), size: bytes.length })
    const expected = new Map(all.map(({ name, bytes }) => [String(name).replace('my-theme/', ''), bytes]))
    expected.set('config.json', Buffer.from('{"name":"é"}'))
    expect(await files(bytes)).toEqual(expected)
    const packed = await Archive.reading(to, async (archive) =>
      Promise.all(archive.files.map(async (file) => [file.path, await archive.packed(file)] as const)),
    )
    expect(packed.map(([path, { method }]) => [path, method])).toEqual(
      all.map(({ name, method }) => {
        const path = String(name).replace('my-theme/', '')
        return [path, path === 'config.json' ? 8 : method]
      }),
    )
    // A second repack writes the same bytes, and gets the same verdict.
    await writeFile(from, await themeBundle())
    const [one, two] = [join(folder, 'one.zip'), join(folder, 'two.zip')]
    expect(await repack({ from, to: one, replaced: {} })).toEqual(
      await repackInProcess({ from, to: two, replaced: {} }),
    )
    expect(await readBundle(two)).toEqual(await readBundle(from))
    await expect(repackInProcess({ from, to: two, replaced: {} })).rejects.toThrow('EEXIST')
  })

  test('may be as large as an upload may be', async () => {
    const folder = await folderOf()
    const [from, to] = [join(folder, 'theme.zip'), join(folder, 'other.zip')]
    const pictures = Array.from({ length: 9 }, (_, i) => [`assets/img/${i}.png`, randomBytes(5 * MIB)] as const)
    await writeFile(from, await bundleOf(Object.fromEntries(pictures)))
    const { size } = await repackInProcess({ from, to, replaced: { 'config.json': '{}' } })
    expect(size).toBeGreaterThan(45 * MIB)
    const copy = await files(await readFile(to))
    for (const [path, bytes] of pictures) expect(copy.get(path)?.equals(bytes)).toBe(true)
    expect(copy.get('config.json')?.toString()).toBe('{}')
  })

  test('is not written further when its time is over', async () => {
    const folder = await folderOf()
    const [from, to] = [join(folder, 'theme.zip'), join(folder, 'other.zip')]
    await writeFile(from, await themeBundle())
    const ending = new AbortController()
    const writing = repackInProcess({ from, to, replaced: {} }, ending.signal)
    ending.abort(new Error('Its time is over.'))
    await expect(writing).rejects.toThrow('Its time is over.')
    await rm(to, { force: true })
    await repackInProcess({ from, to, replaced: {} })
  })
})
