#!/usr/bin/env -S node --max-semi-space-size=16
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

// The command as npm installs it. The server is TypeScript that Node runs as it is, which Node 24 can.
// V8 does not always give back what new objects were once given, 128 MiB under load. The flag bounds that to 32 (docs/decisions/002).
// V8 takes it only before it starts, so it stands in the first line here and in the scripts of package.json.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `storeward needs Node 24 or newer, this is ${process.version}. Under "npm run" it brings its own on Linux.`,
  )
  process.exit(1)
}
// Node 24 clears buffers away by marking the whole heap, at every 64 MiB of them: a body, an upload or a picture is enough. With the
// value that Node 22 had it looks at new objects only (nodejs/node#61967; V8 counts in another way after version 13).
if (major === 24) v8.setFlagsFromString('--scavenger-max-new-space-capacity-mb=8')
// Types are stripped and code is compiled once and not at each start: that is 20 MiB less memory, and the start is quicker.
// The folder belongs to whoever owns the program; where it can't be written, all is as without it.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/storeward', import.meta.url)))
const { run } = await import('../cli.ts')
const code = await run(process.argv.slice(2))
if (code !== 0) process.exit(code)
