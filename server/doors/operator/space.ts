import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'

const GIB = 1024 ** 3
/** With less than this left, uploads may soon be refused. */
export const SPACE_MIN = GIB

/** Free bytes of a folder for this user. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** A number of bytes as people read it. */
export const inGib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`

/** Returns a sentence if the folder of uploads is nearly full. */
export async function spaceWarning(free: () => Promise<number>): Promise<string | undefined> {
  const bytes = await free()
  return bytes < SPACE_MIN
    ? `The folder of uploads has ${inGib(bytes)} left: uploads are refused when it is full.`
    : undefined
}

export function observeSpace(registry: Registry, free: () => Promise<number>) {
  new Gauge({
    name: 'storeward_files_free_bytes',
    help: 'Free bytes in the folder of uploads.',
    registers: [registry],
    async collect() {
      this.set(await free().catch(() => Number.NaN))
    },
  })
}
