import { Socket } from 'node:net'

/** Most bytes of one read. */
const READ_BYTES = 64 * 1024

/**
 * A buffer for the reads of all connections. Node would allocate one of this size for each read and cut it to what has arrived: the pieces that
 * are left between live ones stay resident in the heap of the C library. Nothing may refer to it once `data` was emitted.
 */
const shared = Buffer.alloc(READ_BYTES)

/**
 * Makes a socket that reads into the shared buffer, for the driver's option `stream`.
 * @param config the driver passes it; with TLS the driver puts a socket of its own around this one
 */
export function socketOf(config?: { ssl?: unknown }): Socket {
  if (config?.ssl) return new Socket()
  const socket: Socket = new Socket({
    onread: {
      buffer: shared,
      callback(length, bytes) {
        socket.emit('data', Buffer.from(bytes.buffer, bytes.byteOffset, length))
        return true
      },
    },
  })
  return socket
}
