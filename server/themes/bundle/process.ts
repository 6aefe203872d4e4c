import type { Report } from './apart.ts'
import { readBundle } from './bundle.ts'
import { BundleFaults } from './config.ts'
import { BundleFault } from './faults.ts'

// The process that bundles are judged in (apart.ts starts it): one path after another, each answered by what came of it.

/** How far it has come is said at each twentieth. */
const STEP = 0.05

process.on('message', async (path: string) => say(await judged(path)))
process.on('disconnect', () => process.exit())

async function judged(path: string): Promise<Report> {
  let said = 0
  try {
    const bundle = await readBundle(path, (part) => {
      if (part - said < STEP) return
      said = part
      say({ part })
    })
    return { bundle }
  } catch (error) {
    if (error instanceof BundleFaults) return { faults: error.faults }
    if (error instanceof BundleFault) return { faults: [{ code: error.code, sentence: error.sentence }] }
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

const say = (report: Report) => process.send?.(report)
