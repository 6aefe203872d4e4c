import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { npmPack } from './npm-pack.ts'

// Packs a library of this repository as npm installs it: JavaScript and declarations, which the compiler writes beside each other.

const root = resolve(import.meta.dirname, '..')

/** The folders of the libraries. */
export const LIBRARIES = ['client', 'testing'] as const

/** Options of the compiler for a file that is published. The rest is that of the repository. */
const PUBLISHED = {
  noEmit: false,
  incremental: false,
  allowImportingTsExtensions: false,
  rewriteRelativeImportExtensions: true,
  // Users have an older engine than the tests.
  target: 'es2022',
}

/** Packs a library into a folder. @returns the path of the packed file */
export function packLibrary(name: (typeof LIBRARIES)[number], target: string): string {
  const folder = mkdtempSync(join(tmpdir(), `storeward-${name}-`))
  try {
    compile(join(root, name), folder, { declaration: true })
    // Editors read the comments of the declarations.
    compile(join(root, name), folder, { removeComments: true })
    const { exports, bin, ...manifest } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))
    writeFileSync(
      join(folder, 'package.json'),
      `${JSON.stringify({ ...manifest, bin: published(bin), exports: published(exports) }, null, 2)}\n`,
    )
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    cpSync(join(root, 'docs', `${name}.md`), join(folder, 'README.md'))
    return npmPack(folder, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compiles the folder `src` of a library. */
function compile(library: string, folder: string, options: { declaration?: true; removeComments?: true }) {
  const config = join(library, `tsconfig-${process.pid}.json`)
  const compilerOptions = { ...PUBLISHED, ...options, rootDir: 'src', outDir: folder }
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include: ['src/**/*.ts'] }))
  try {
    mkdirSync(folder, { recursive: true })
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['--project', config], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  } finally {
    rmSync(config)
  }
}

/** `./src/index.ts` is `./index.js` in the package. */
const published = (paths: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [name, path.replace('./src/', './').replace(/\.ts$/, '.js')]),
  )
