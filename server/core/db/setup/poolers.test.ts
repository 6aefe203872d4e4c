import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../process/config.ts'
import { openInstallation } from '../../../process/installation.ts'
import { SECRET } from '../../../test/harness/postgres.ts'
import { secretsFrom } from '../../secrets/secrets.ts'
import { connected, ensureDatabase } from './prepare.ts'

const SHARED =
  /is behind a pooler that shares sessions .* Let DATABASE_URL, DIRECTORY_URL and CELLS lead to PostgreSQL itself/
const WITHOUT_OPTIONS = /is behind a pooler that takes no settings of sessions.* lead to PostgreSQL itself/

const direct = new URL(inject('postgresUrl'))

function behind(port: number, database = direct.pathname): string {
  const url = new URL(direct)
  // The tests' PostgreSQL may be at a socket.
  url.host = `127.0.0.1:${port}`
  url.pathname = database
  return url.href
}

/** A message of PostgreSQL's protocol. */
function message(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

/**
 * A pooler of simple queries, as its clients see it: it names processes of its own. In transaction mode a session goes back to the pool when
 * its transaction ends, and the next client gets the one that was used last.
 */
async function openPooler(mode: 'transaction' | 'session', size = 8): Promise<number> {
  const sessions = await Promise.all(
    Array.from({ length: size }, async () => {
      const session = new pg.Client({ connectionString: direct.href })
      await session.connect()
      return session
    }),
  )
  const waiting: ((session: pg.Client) => void)[] = []
  const take = async () => sessions.pop() ?? new Promise<pg.Client>((resolve) => waiting.push(resolve))
  const give = (session: pg.Client) => {
    const next = waiting.shift()
    if (next) next(session)
    else sessions.push(session)
  }

  const serve = async (socket: Socket) => {
    let held: pg.Client | undefined
    const answer = async (text: string) => {
      held ??= await take()
      const { rows, fields, command } = await held.query({ text, rowMode: 'array' })
      const isIn = text === 'begin'
      const texts = rows.map((row: unknown[]) => row.map((value) => Buffer.from(String(value))))
      const columns = texts[0]?.length ?? 0
      const field = [Buffer.from(`${fields[0]?.name}\0`), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]
      socket.write(
        Buffer.concat([
          message('T', int16(columns), ...Array.from({ length: columns }, () => field).flat()),
          ...texts.map((row) =>
            message('D', int16(row.length), ...row.flatMap((value) => [int32(value.length), value])),
          ),
          message('C', command === 'SELECT' ? `SELECT ${rows.length}` : command),
          message('Z', Buffer.from(isIn ? 'T' : 'I')),
        ]),
      )
      if (mode === 'session' || isIn) return
      give(held)
      held = undefined
    }
    let isOpen = false
    let bytes = Buffer.alloc(0)
    let turn = Promise.resolve()
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, typeof more === 'string' ? Buffer.from(more) : more])
      for (;;) {
        const at = isOpen ? 1 : 0
        const length = bytes.length >= at + 4 ? bytes.readInt32BE(at) + at : Number.POSITIVE_INFINITY
        if (bytes.length < length) return
        const [type, body] = [bytes.toString('latin1', 0, at), bytes.subarray(at + 4, length)]
        bytes = bytes.subarray(length)
        if (!isOpen) {
          isOpen = true
          socket.write(
            Buffer.concat([
              message('R', int32(0)),
              message('K', int32(4_000_000), int32(1)),
              message('Z', Buffer.from('I')),
            ]),
          )
        } else if (type === 'Q') turn = turn.then(() => answer(body.toString('utf8', 0, body.length - 1)))
      }
    })
    socket.on('error', () => {})
    socket.on('close', async () => {
      await turn
      if (!held) return
      await held.query('rollback')
      give(held)
      held = undefined
    })
  }

  const pooler = createServer((socket) => void serve(socket))
  await once(pooler.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    pooler.close()
    await vi.waitUntil(() => sessions.length === size, 60_000)
    await Promise.all(sessions.map((session) => session.end()))
  })
  return (pooler.address() as AddressInfo).port
}

const now = (client: pg.Client) => client.query('select 1').then(({ rowCount }) => rowCount)

describe('a pooler', () => {
  test('in transaction mode is refused before the database is used', async () => {
    const used = vi.fn()
    await expect(connected(behind(await openPooler('transaction')), used)).rejects.toThrow(SHARED)
    expect(used).not.toHaveBeenCalled()
  })

  test('in transaction mode with one session is refused', async () => {
    await expect(connected(behind(await openPooler('transaction', 1)), now)).rejects.toThrow(SHARED)
  })

  test.each([8, 1])('in session mode gives each client a session of its own (%i sessions)', async (size) => {
    expect(await connected(behind(await openPooler('session', size)), now)).toBe(1)
  })

  test('that is not there is no pooler', async () => {
    expect(await connected(direct.href, now)).toBe(1)
  })
})

const hasPgBouncer = () => {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!hasPgBouncer())('PgBouncer', () => {
  const children: ChildProcess[] = []
  const folders: string[] = []
  afterAll(async () => {
    for (const child of children) {
      if (child.exitCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  async function freePort(): Promise<number> {
    const server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return port
  }

  /** A port of the tests' PostgreSQL, whose socket is in a folder that PgBouncer's account can't open. */
  async function openPort(): Promise<number> {
    const folder = decodeURIComponent(direct.hostname)
    const relay = createServer((socket) => {
      const server = folder.startsWith('/')
        ? connect(join(folder, `.s.PGSQL.${direct.port}`))
        : connect(Number(direct.port), folder)
      socket.pipe(server).pipe(socket)
      socket.on('error', () => server.destroy())
      server.on('error', () => socket.destroy())
    })
    await once(relay.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void relay.close())
    return (relay.address() as AddressInfo).port
  }

  /** Starts PgBouncer before the tests' PostgreSQL. @returns its port */
  async function start(settings: string): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'storeward-pooler-'))
    folders.push(folder)
    await chmod(folder, 0o755)
    const port = await freePort()
    const { rolePassword } = secretsFrom(SECRET)
    const logins = [
      [decodeURIComponent(direct.username), decodeURIComponent(direct.password)],
      ...['storeward', 'storeward_system', 'storeward_fork'].map((role) => [role, rolePassword]),
    ]
    const users = join(folder, 'users.txt')
    await writeFile(users, logins.map(([name, password]) => `"${name}" "${password}"\n`).join(''))
    const file = join(folder, 'pgbouncer.ini')
    await writeFile(
      file,
      `[databases]\n* = host=127.0.0.1 port=${await openPort()}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
        `unix_socket_dir =\nauth_type = plain\nauth_file = ${users}\nlogfile =\n${settings}\n`,
    )
    const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    const child = spawn('pgbouncer', [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => (said += text))
    await vi.waitUntil(() => {
      if (child.exitCode !== null) throw new Error(said)
      return said.includes('process up')
    }, 60_000)
    return port
  }

  test.each(['transaction', 'statement'])('in %s mode is refused', async (mode) => {
    const port = await start(`pool_mode = ${mode}\nignore_startup_parameters = options`)
    await expect(connected(behind(port), now)).rejects.toThrow(SHARED)
  })

  test('in session mode is refused by the server, because it refuses or drops the time-outs of sessions', async () => {
    const name = `poolers_${process.pid}`
    await ensureDatabase(direct.href, name)
    onTestFinished(() =>
      connected(direct.href, async (client) => void (await client.query(`drop database "${name}" with (force)`))),
    )
    for (const settings of ['', 'ignore_startup_parameters = options']) {
      const port = await start(`pool_mode = session\n${settings}`)
      const config = readConfig({ SECRET, DATABASE_URL: behind(port, `/${name}`) })
      await expect(openInstallation(config, { prepares: true })).rejects.toThrow(WITHOUT_OPTIONS)
    }
  })
})
