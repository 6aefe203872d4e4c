import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const MEMORY_TYPE = 0x01021994
// Several times the need of a run of all tests.
const NEEDED = 8 * 1024 ** 3

/**
 * The folder for the temporary files of tests: in memory if there is enough of it. A database is thousands of small
 * files, and the tests create and delete some eighty databases. On a disk, half of PostgreSQL's processor time was the
 * file system's.
 */
export function temporaryFolder(): string {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    accessSync(MEMORY, constants.W_OK)
    if (type === MEMORY_TYPE && Math.min(bavail * bsize, process.availableMemory()) > NEEDED) return MEMORY
  } catch {} // not on this system
  return tmpdir()
}
