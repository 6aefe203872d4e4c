import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createListener, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { Addresses } from './addresses.ts'
import { ImageFetchError, ImageFetcher } from './fetch-image.ts'

// docs/contract/product-parts.md section 5 (C-088, C-089).

const MAX = 1_000
const picture = Buffer.from('the bytes of a picture')

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const open: { close(): unknown; closeAllConnections?(): void }[] = []
afterAll(() => {
  for (const server of open) {
    server.closeAllConnections?.()
    server.close()
  }
})

const listening = (server: Server | ReturnType<typeof createListener>) => {
  open.push(server)
  return new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )
}

/** A receiver on loopback. @returns its port, and the requests that it got */
async function receiver(answer: Answer) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  return { port: await listening(server), asked }
}

const resolve = async (host: string) => {
  if (host === 'public.test') return ['127.0.0.1']
  if (host === 'private.test') return ['10.0.0.1', '192.168.1.1']
  if (host === 'mixed.test') return ['10.0.0.1', '127.0.0.1']
  if (host === 'silent.test') return new Promise<string[]>(() => {})
  throw new Error('unknown')
}
/** May connect to loopback, which stands for public addresses, and to no other private address. */
const fetcher = new ImageFetcher(new Addresses(['127.0.0.0/8'], resolve))
const hasty = new ImageFetcher(new Addresses(['127.0.0.0/8'], resolve), { totalMs: 150 })
/** As it is in production. */
const strict = new ImageFetcher(new Addresses([], resolve))

const sendPicture: Answer = (_, response) => response.end(picture)
const refusal = async (fetched: Promise<Buffer>) => {
  const error = await fetched.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ImageFetchError)
  return error instanceof Error ? error.message : ''
}
const NOT_PUBLIC = 'The host of the address must resolve to a public address.'
const LATE = 'The picture did not come within 0.15 s.'
const BROKEN = 'The address did not answer as it must.'
const TOO_LARGE = `The picture is larger than ${MAX} bytes.`

describe('the answer of an address', () => {
  test('is fetched byte by byte, asked for as a picture that is not compressed', async () => {
    const { port, asked } = await receiver(sendPicture)
    expect(await fetcher.fetch(`http://public.test:${port}/a/b.png?size=2`, MAX)).toEqual(picture)
    const [request] = asked
    expect({ method: request?.method, url: request?.url, headers: request?.headers }).toMatchObject({
      method: 'GET',
      url: '/a/b.png?size=2',
      headers: { host: `public.test:${port}`, accept: 'image/*', 'accept-encoding': 'identity' },
    })
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host'])
  })

  test('comes from an address that is allowed, if the name has others too', async () => {
    const { port } = await receiver(sendPicture)
    expect(await fetcher.fetch(`http://mixed.test:${port}/`, MAX)).toEqual(picture)
  })

  test('may have as many bytes as are allowed, and not one more, announced or not', async () => {
    for (const isAnnounced of [true, false]) {
      for (const length of [MAX, MAX + 1]) {
        const { port } = await receiver((_, response) => {
          if (isAnnounced) response.setHeader('content-length', length)
          response.flushHeaders()
          response.end(Buffer.alloc(length))
        })
        const fetched = fetcher.fetch(`http://127.0.0.1:${port}/`, MAX)
        if (length === MAX) expect(await fetched).toHaveLength(MAX)
        else expect(await refusal(fetched)).toBe(TOO_LARGE)
      }
    }
  })

  test('is not read on when it is too much: a stream without end is stopped', async () => {
    let written = 0
    const closed = Promise.withResolvers<void>()
    const { port } = await receiver((_, response) => {
      response.on('close', closed.resolve)
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    })
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(TOO_LARGE)
    await closed.promise
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  test('is refused before its first byte if it is announced as 10 GB', async () => {
    const { port } = await receiver((_, response) => {
      response.setHeader('content-length', 10_000_000_000)
      response.flushHeaders()
    })
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(TOO_LARGE)
  })

  test.each([201, 204, 206, 304, 400, 404, 500])('is no picture with the status %i', async (status) => {
    const { port } = await receiver((_, response) => response.writeHead(status).end())
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(`The address answered with ${status}.`)
  })

  test.each(['gzip', 'br', 'deflate', 'x'])('is not unpacked: %s is refused', async (encoding) => {
    const { port } = await receiver((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('x'))
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe('The answer is compressed.')
  })

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['nothing', ''],
    ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('is refused if it is %s', async (_, bytes) => {
    const port = await listening(createListener((socket: Socket) => socket.on('error', () => {}).end(bytes)))
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(BROKEN)
  })

  test('is refused from a port that nobody listens to', async () => {
    const { port } = await receiver(sendPicture)
    open.pop()?.close()
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(BROKEN)
    expect(await refusal(fetcher.fetch(`https://127.0.0.1:${port}/`, MAX))).toBe(BROKEN)
  })

  test('is refused without a certificate', async () => {
    const { port } = await receiver(sendPicture)
    expect(await refusal(fetcher.fetch(`https://127.0.0.1:${port}/`, MAX))).toBe(BROKEN)
  })
})

describe('there is one time for everything:', () => {
  test('a name server that is silent', async () => {
    expect(await refusal(hasty.fetch('http://silent.test/', MAX))).toBe(LATE)
  })

  test('a receiver that never answers', async () => {
    const port = await listening(createListener((socket: Socket) => socket.on('error', () => {})))
    expect(await refusal(hasty.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(LATE)
  })

  test('a byte now and then', async () => {
    const closed = Promise.withResolvers<void>()
    const { port } = await receiver((_, response) => {
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => {
        clearInterval(drip)
        closed.resolve()
      })
    })
    expect(await refusal(hasty.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(LATE)
    await closed.promise
  })

  test('redirects that each take their time', async () => {
    const { port } = await receiver((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 80)
    })
    expect(await refusal(hasty.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(LATE)
  })
})

describe('if nothing may be fetched, nothing is sent:', () => {
  test.each([
    '127.0.0.1',
    'localhost',
    'public.test',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ])('%s', async (host) => {
    const { port, asked } = await receiver(sendPicture)
    expect(await refusal(strict.fetch(`http://${host}:${port}/`, MAX))).toBe(NOT_PUBLIC)
    expect(asked).toEqual([])
  })

  test.each([
    ['169.254.169.254', fetcher],
    ['10.0.0.1', fetcher],
    ['private.test', fetcher],
    ['unknown.test', fetcher],
    ['[fd00:ec2::254]', fetcher],
    ['0.0.0.0', strict],
  ])('%s', async (host, through) => {
    expect(await refusal(through.fetch(`http://${host}/`, MAX))).toBe(NOT_PUBLIC)
  })

  test.each([
    'file:///etc/passwd',
    'ftp://public.test/a.png',
    'gopher://public.test/',
    'data:image/png;base64,iVBORw0KGgo=',
    'javascript:alert(1)',
    'a.png',
    '',
  ])('"%s"', async (address) => {
    expect(await refusal(fetcher.fetch(address, MAX))).toBe('The address does not lead to one of http or https.')
  })

  test('an address with a name and a password', async () => {
    const { port, asked } = await receiver(sendPicture)
    const sentence = 'The address must not contain a user name.'
    expect(await refusal(fetcher.fetch(`http://ada:secret@127.0.0.1:${port}/`, MAX))).toBe(sentence)
    expect(await refusal(fetcher.fetch(`http://ada@127.0.0.1:${port}/`, MAX))).toBe(sentence)
    expect(asked).toEqual([])
  })
})

describe('a redirect', () => {
  /** Answers /3 by /2, that by /1, and that by the picture. */
  const countdown: Answer = ({ url }, response) => {
    const left = Number(url?.slice(1))
    if (left === 0) response.end(picture)
    else response.writeHead(302, { location: `/${left - 1}` }).end('a body that nobody reads')
  }

  test('is followed three times', async () => {
    const { port, asked } = await receiver(countdown)
    expect(await fetcher.fetch(`http://127.0.0.1:${port}/3`, MAX)).toEqual(picture)
    expect(asked.map(({ url }) => url)).toEqual(['/3', '/2', '/1', '/0'])
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/4`, MAX))).toBe(
      'The address redirects more than 3 times.',
    )
  })

  test.each([301, 302, 303, 307, 308])('with the status %i is one, also to another host', async (status) => {
    const { port } = await receiver(sendPicture)
    const from = await receiver((_, response) =>
      response.writeHead(status, { location: `http://public.test:${port}/` }).end(),
    )
    expect(await fetcher.fetch(`http://127.0.0.1:${from.port}/`, MAX)).toEqual(picture)
  })

  test.each([
    ['http://10.0.0.1/', NOT_PUBLIC],
    ['http://169.254.169.254/latest/meta-data/', NOT_PUBLIC],
    ['http://private.test/', NOT_PUBLIC],
    ['//private.test/', NOT_PUBLIC],
    ['file:///etc/passwd', 'The address does not lead to one of http or https.'],
    ['gopher://127.0.0.1/', 'The address does not lead to one of http or https.'],
    ['http://ada:secret@127.0.0.1/', 'The address must not contain a user name.'],
    ['http://', 'The address does not lead to one of http or https.'],
  ])('to %s is refused', async (location, sentence) => {
    const { port } = await receiver((_, response) => response.writeHead(302, { location }).end())
    expect(await refusal(fetcher.fetch(`http://127.0.0.1:${port}/`, MAX))).toBe(sentence)
  })

  test('to a private receiver does not reach it', async () => {
    const canary = await receiver(sendPicture)
    const only = new ImageFetcher(new Addresses(['127.0.0.1/32'], async () => ['127.0.0.2']))
    const from = await receiver((_, response) =>
      response.writeHead(302, { location: `http://canary.test:${canary.port}/` }).end(),
    )
    expect(await refusal(only.fetch(`http://127.0.0.1:${from.port}/`, MAX))).toBe(NOT_PUBLIC)
    expect(canary.asked).toEqual([])
  })
})
