const PLACES_MAX = 10_000

/** A page begins after this id, as long as the resource's counter has this version. */
export interface PagePosition {
  readonly after: number
  readonly version: number
}

/**
 * Where the pages of long lists begin, so that a deep page need not count its way from the first row. Every insert and
 * delete changes the version of the resource's counter in its own transaction, so a place is valid while the version is the same.
 * They are in the memory of this process; the oldest is dropped first.
 */
export class PagePositions {
  readonly #places = new Map<string, PagePosition>()

  find(key: string): PagePosition | undefined {
    return this.#places.get(key)
  }

  keep(key: string, place: PagePosition) {
    const known = this.#places.get(key)
    if (known?.after === place.after && known.version === place.version) return
    this.#places.delete(key)
    this.#places.set(key, place)
    if (this.#places.size <= PLACES_MAX) return
    for (const oldest of this.#places.keys()) {
      this.#places.delete(oldest)
      break
    }
  }
}
