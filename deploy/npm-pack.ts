import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Packs a folder as npm would publish it. @returns the path of the packed file */
export function npmPack(folder: string, target: string): string {
  mkdirSync(target, { recursive: true })
  const args = ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', resolve(target)]
  const printed: unknown = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }))
  // npm 11 prints a list, newer versions an object by package.
  const [packed] = Object.values(printed ?? {})
  return join(resolve(target), packed.filename)
}
