#!/usr/bin/env node
// The command as npm installs it. The server is TypeScript that Node runs as it is, which Node 24 can.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `storeward needs Node 24 or newer, this is ${process.version}. Under "npm run" it brings its own on Linux.`,
  )
  process.exit(1)
}
await import('../cli.ts')
