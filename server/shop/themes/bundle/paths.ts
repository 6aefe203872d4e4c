import { BundleFault } from './faults.ts'

const PATH_MAX = 512
/** Folders in folders, and all folders that the paths name. */
const DEPTH_MAX = 32
const FOLDERS_MAX = 10_000
/** docs/contract/themes.md section 3, allowed extensions. A name that begins with a dot, such as `.eslintrc`, needs none. */
const ALLOWED =
  /(^\.[\w.-]+|\.(html|json|js|cjs|mjs|css|scss|sass|less|md|txt|map|yml|png|jpe?g|gif|svg|ico|webp|woff2?|ttf|eot|otf|mp4|webm))$/i
/** Device names of some systems, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

/** Why a path is invalid in a bundle; undefined if it is valid. Ignores other paths. */
function pathRefusal(path: string): string | undefined {
  if (path.length > PATH_MAX) return `has more than ${PATH_MAX} characters`
  if (path.startsWith('/')) return 'is absolute'
  if (/^[A-Za-z]:/.test(path)) return 'names a drive'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are refused
  if (/[\x00-\x1f\x7f\\]/.test(path)) return 'has characters that are not allowed'
  const segments = path.replace(/\/$/, '').split('/')
  if (segments.length > DEPTH_MAX) return `has more than ${DEPTH_MAX} levels`
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return 'leaves its folder'
  if (segments.some((segment) => DEVICE.test(segment))) return 'names a device'
  if (segments.some((segment) => /[. ]$/.test(segment))) return 'has a name that ends with a dot or a blank'
  if (!path.endsWith('/') && !ALLOWED.test(segments.at(-1) ?? '')) return 'has an extension that is not allowed'
  return undefined
}

/** The paths of a bundle as they come, so that no two become one file where letter case or composition does not count. */
export class PathList {
  readonly #spelled = new Map<string, { path: string; isFile: boolean }>()
  #folders = 0

  /** @throws BundleFault TR-400, TR-301 */
  add(path: string) {
    const refusal = pathRefusal(path)
    if (refusal !== undefined) throw new BundleFault('TR-400', `The path ${quotePath(path)} ${refusal}.`)
    const segments = path.replace(/\/$/, '').split('/')
    for (let depth = 1; depth < segments.length; depth++) this.#note(segments.slice(0, depth).join('/'), false)
    this.#note(segments.join('/'), !path.endsWith('/'))
  }

  #note(path: string, isFile: boolean) {
    const key = path.normalize('NFC').toLowerCase()
    const known = this.#spelled.get(key)
    if (!known) {
      if (!isFile && ++this.#folders > FOLDERS_MAX) {
        throw new BundleFault('TR-301', `The paths of the archive name more than ${FOLDERS_MAX} folders.`)
      }
      this.#spelled.set(key, { path, isFile })
    } else if (isFile || known.isFile || known.path !== path) {
      throw new BundleFault('TR-400', `The paths ${quotePath(known.path)} and ${quotePath(path)} would be one file.`)
    }
  }
}

/** A path as a sentence shows it. */
export const quotePath = (path: string) => JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path)
