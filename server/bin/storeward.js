#!/usr/bin/env node
import { fileURLToPath } from 'node:url'

// The command as npm installs it. The server is TypeScript that Node runs as it is, which Node 24 can.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `storeward needs Node 24 or newer, this is ${process.version}. Under "npm run" it brings its own on Linux.`,
  )
  process.exit(1)
}
// Types are stripped and code is compiled once and not at each start: that is 20 MiB less memory, and the start is quicker.
// The folder belongs to whoever owns the program; where it can't be written, all is as without it.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/storeward', import.meta.url)))
await import('../cli.ts')
