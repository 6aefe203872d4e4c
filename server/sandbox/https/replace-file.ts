import { open, rename, rm } from 'node:fs/promises'

/** Replaces a file as a whole: readers see the former text or the new one. @param mode who may read it */
export async function replaceFile(path: string, text: string, mode: number) {
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const file = await open(fresh, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(fresh, path)
}
