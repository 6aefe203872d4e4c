import { existsSync, symlinkSync } from 'node:fs'

// npm 10 does not link the program `node` of the packages node-linux-*. The scripts of package.json need it in their PATH on an older Node.
const bin = new URL('../node_modules/.bin/', import.meta.url)
const target = `../node-${process.platform}-${process.arch}/bin/node`
const [major, minor] = process.versions.node.split('.').map(Number)
if (
  (major < 24 || (major === 24 && minor < 7)) &&
  existsSync(new URL(target, bin)) &&
  !existsSync(new URL('node', bin))
) {
  symlinkSync(target, new URL('node', bin))
}
