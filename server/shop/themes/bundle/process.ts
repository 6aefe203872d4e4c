import { readBundle } from './bundle.ts'
import { BundleFaults } from './config.ts'
import { BundleFault } from './faults.ts'
import { repack } from './repack.ts'
import type { Report, Wish } from './separate-process.ts'

// The process that validates and repacks bundles (separate-process.ts starts it): one request after another, each answered by its outcome.

/** How far it has come is said at each twentieth. */
const STEP = 0.05

process.on('message', async (wish: Wish) => say(await outcomeOf(wish)))
process.on('disconnect', () => process.exit())

async function outcomeOf(wish: Wish): Promise<Report> {
  let said = 0
  try {
    if ('repack' in wish) return { written: await repack(wish.repack) }
    const bundle = await readBundle(wish.judge, (part) => {
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
