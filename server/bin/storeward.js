#!/usr/bin/env -S node --max-semi-space-size=16
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

// The command as npm installs it. The server is TypeScript that Node runs as it is, which Node 24 can.
// V8 does not always give back what new objects were once given, 128 MiB under load. The flag bounds that to 32 (docs/decisions/002).
// V8 takes it only before it starts, so it stands in the first line here and in the scripts of package.json.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) await runByOwnNode()

/** Runs the program with the Node 24 that npm installs on Linux beside an older one (node-24/package.json). Does not return. */
async function runByOwnNode() {
  const { spawn } = await import('node:child_process')
  const { createRequire } = await import('node:module')
  let node
  try {
    node = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    console.error(
      `storeward needs Node 24 or newer, this is ${process.version}. On Linux run "npm ci" with this Node: it installs Node 24.`,
    )
    process.exit(1)
  }
  const child = spawn(node, ['--max-semi-space-size=16', ...process.argv.slice(1)], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // A terminal sends it to both of us, and the second one would end the server at once.
  process.on('SIGINT', () => {})
  await new Promise((resolve) => child.once('close', resolve))
  process.exit(child.exitCode ?? 1)
}
// Node 24 clears buffers away by marking the whole heap, at every 64 MiB of them: a body, an upload or a picture is enough. With the
// value that Node 22 had it looks at new objects only (nodejs/node#61967; V8 counts in another way after version 13).
if (major === 24) v8.setFlagsFromString('--scavenger-max-new-space-capacity-mb=8')
// Types are stripped and code is compiled once and not at each start: that is 20 MiB less memory, and the start is quicker.
// The folder belongs to whoever owns the program; where it can't be written, all is as without it.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/storeward', import.meta.url)))
const { run } = await import('../commands/cli.ts')
const code = await run(process.argv.slice(2))
if (code !== 0) process.exit(code)
