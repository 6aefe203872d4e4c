import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const MEMORY_TYPE = 0x01021994
// Several times what a run of all tests has at once.
const NEEDED = 8 * 1024 ** 3

/**
 * Where the temporary files of tests are to be: in memory where there is plenty of it. A database is thousands of small files, and
 * the tests make and remove some eighty of them: on a disk half of what PostgreSQL computed was the file system's.
 */
export function temporaryFolder(): string {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    accessSync(MEMORY, constants.W_OK)
    if (type === MEMORY_TYPE && Math.min(bavail * bsize, process.availableMemory()) > NEEDED) return MEMORY
  } catch {} // not on this system
  return tmpdir()
}
