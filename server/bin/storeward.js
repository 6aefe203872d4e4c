#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=16
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

// The command that npm installs. The server is TypeScript, which Node 24 runs directly.
// Under load V8 retains memory of new objects, 128 MiB. The flag limits it to 32 (docs/decisions/002), and glibc keeps a heap for each
// thread, which the variable limits (docs/decisions/100). Both are read only at the start, so they stand in the first line here and in the
// scripts of package.json.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) await runByOwnNode()

/** Runs the program with the Node 24 that npm installs on Linux beside an older one (node-24/package.json). Does not return. */
async function runByOwnNode() {
  const { spawn } = await import('node:child_process')
  const { createRequire } = await import('node:module')
  let node
  try {
    node = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    console.error(
      `storeward needs Node 24.7 or newer, this is ${process.version}. In a clone on Linux, "npm ci" installs Node 24 beside it.`,
    )
    process.exit(1)
  }
  const child = spawn(node, ['--max-semi-space-size=16', ...process.argv.slice(1)], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // A terminal sends the signal to both processes, and a second signal would end the server at once.
  process.on('SIGINT', () => {})
  await new Promise((resolve) => child.once('close', resolve))
  process.exit(child.exitCode ?? 1)
}
// Node 24 frees buffers by marking the whole heap, each time they reach 64 MiB: a body, an upload or a picture is enough. With
// the value of Node 22 it marks new objects only (nodejs/node#61967; V8 counts differently after version 13).
if (major === 24) v8.setFlagsFromString('--scavenger-max-new-space-capacity-mb=8')
// The heap grows by three fifths until it is collected: V8 would let it grow more, and objects of requests under way pile up in it (docs/decisions/146).
v8.setFlagsFromString('--heap-growing-percent=60')
// Caches the compiled code without types, which saves 20 MiB of memory and makes the start faster. The folder belongs to the
// owner of the program. If it is not writable, nothing is cached.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/storeward', import.meta.url)))
const { run } = await import('../commands/cli.ts')
const code = await run(process.argv.slice(2))
if (code !== 0) process.exit(code)
